import type { ListedPersonalPage } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { AreaField } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import { ObjectLink } from '../../../web/console/object-link.tsx';

interface PageDialogProps {
  page: ListedPersonalPage;
  onClose(): void;
}

/** A version as visitors would see it, and the decision about it. */
export function PageDialog({ page, onClose }: PageDialogProps) {
  const { id, user_id, affiliate, state, name, text, language, picture, reason } = page;
  const close = async () => {
    onClose();
    await refresh('personal-pages', 'overview');
  };
  return (
    <Dialog title={t('console-personal-pages.title', { name: affiliate })} onClose={onClose}>
      {state === 'declined' && (
        <Notice kind="info">
          {t('console-personal-pages.declinedNow')} {reason}
        </Notice>
      )}
      <div class="page-version">
        {picture && <img src={new URL(picture).pathname} alt={name} />}
        <h3>{name}</h3>
        <p lang={language || undefined}>{text || t('console-personal-pages.noText')}</p>
      </div>
      <p>
        <ObjectLink type="affiliate" id={user_id}>
          {t('console-personal-pages.toAffiliate', { name: affiliate })}
        </ObjectLink>
      </p>
      {state !== 'shown' && (
        <Form
          action={t('console-personal-pages.accept')}
          showsReasons
          submit={async (_values, options) => {
            await api.personalPages.accept(id, options);
            await close();
          }}
        />
      )}
      {state !== 'declined' && (
        <Form
          kind="danger"
          action={t(`console-personal-pages.${state === 'shown' ? 'takeAway' : 'decline'}`)}
          showsReasons
          submit={async (values, options) => {
            await api.personalPages.decline(id, { reason: values['reason'] ?? '' }, options);
            await close();
          }}
        >
          <AreaField
            name="reason"
            label={t('console-personal-pages.reason')}
            hint={t('console-personal-pages.reasonHint')}
            rows={2}
            maxLength={500}
          />
        </Form>
      )}
    </Dialog>
  );
}
