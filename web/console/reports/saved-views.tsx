import { Link, useLocation } from 'wouter-preact';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import type { Address } from '../../frame/address.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { t } from '../../words.ts';

/** What the person has kept under a name, and the report that is shown now to keep. */
export function SavedViews({ address }: { address: Address }) {
  const [, navigate] = useLocation();
  const current = address.hrefOf({ views: undefined, page: undefined });
  const { data, error, retry } = useData('report-views', {}, () => api.reportViews.get());
  return (
    <Dialog title={t('console-reports.views')} onClose={() => navigate(current)}>
      {data ? (
        <>
          {data.views.length === 0 && <p class="muted">{t('console-reports.noViews')}</p>}
          <ItemList
            items={data.views.map(({ id, name, query }) => ({
              key: id,
              title: <Link href={`${address.path}?${query}`}>{name}</Link>,
              action: (
                <Form
                  kind="quiet"
                  action={t('console-reports.deleteView')}
                  submit={async (_values, options) => {
                    await api.reportViews.delete(id, options);
                    await refresh('report-views');
                  }}
                />
              ),
            }))}
          />
        </>
      ) : (
        <Pending error={error} retry={retry} height="6rem" />
      )}
      <Form
        action={t('console-reports.saveView')}
        done={t('console-reports.viewSaved')}
        clears
        submit={async ({ name = '' }, options) => {
          const query = current.split('?')[1] ?? '';
          await api.reportViews.create({ name, query }, options);
          await refresh('report-views');
        }}
      >
        <Field
          name="name"
          label={t('console-reports.viewName')}
          hint={t('console-reports.viewNameHint')}
          maxLength={60}
          autocomplete="off"
          required
        />
      </Form>
    </Dialog>
  );
}
