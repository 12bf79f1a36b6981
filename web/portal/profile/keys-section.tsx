import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { AddonParts } from '../addon-parts.tsx';

/** The person's own keys, with which a program can read what the person can read. */
export function KeysSection() {
  const { me } = useSession();
  const { data, error, retry } = useData('keys', {}, () => api.account.keys.list());
  const [created, setCreated] = useState<string>();
  const active = data?.items.filter(({ status }) => status === 'active') ?? [];
  return (
    <Card title={t('portal-profile.keys')}>
      <p class="muted">
        {t('portal-profile.keys.text')}{' '}
        {me.is_affiliate && (
          <Link href="/app/profile?section=figures">{t('portal-profile.keys.guide')}</Link>
        )}
      </p>
      <AddonParts place="programs" />
      {!data && <Pending error={error} retry={retry} lines={2} />}
      {active.length > 0 && (
        <ItemList
          items={active.map((key) => ({
            key: key.id,
            title: key.description === '' ? key.key_prefix : key.description,
            detail: key.last_used
              ? t('portal-profile.keys.lastUsed', { date: formatDate(key.last_used, 'day') })
              : t('portal-profile.keys.neverUsed'),
            action: (
              <Form
                kind="danger"
                action={t('portal-profile.keys.revoke')}
                submit={async (_values, options) => {
                  await api.account.keys.delete(key.id, options);
                  await refresh('keys');
                }}
              />
            ),
          }))}
        />
      )}
      <Form
        kind="quiet"
        action={t('portal-profile.keys.create')}
        clears
        submit={async ({ description = '' }, options) => {
          const { token } = await api.account.keys.create({ description }, options);
          setCreated(token);
          await refresh('keys');
        }}
      >
        <Field
          name="description"
          label={t('portal-profile.keys.description')}
          hint={t('portal-profile.keys.descriptionHint')}
          autocomplete="off"
          required
          maxLength={200}
        />
      </Form>
      {created && (
        <Dialog title={t('portal-profile.keys.created')}>
          <Notice kind="warn">{t('portal-profile.keys.once')}</Notice>
          <p>
            <code>{created}</code>
          </p>
          <CopyButton text={created} label={t('portal-profile.keys.copy')} />
          <Button onClick={() => setCreated(undefined)}>{t('portal-profile.keys.done')}</Button>
        </Dialog>
      )}
    </Card>
  );
}
