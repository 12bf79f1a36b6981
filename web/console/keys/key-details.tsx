import type { OwnedApiKey } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';

interface KeyDetailsProps {
  apiKey: OwnedApiKey;
  onClose: () => void;
}

export function KeyDetails({ apiKey, onClose }: KeyDetailsProps) {
  const { id, description, owner, scopes, status } = apiKey;
  return (
    <Dialog title={description || t('console-keys.noDescription')} onClose={onClose}>
      <Facts
        facts={[
          { name: t('console-keys.key'), value: <code>{apiKey.key_prefix}…</code> },
          { name: t('console-keys.owner'), value: owner.display_name || owner.login },
          {
            name: t('console-keys.scopes'),
            value: scopes.map((scope) => t(`console-keys.scope.${scope}`)).join(', '),
          },
          { name: t('console-keys.status'), value: t(`console-keys.status.${status}`) },
          { name: t('console-keys.created'), value: formatDate(apiKey.date_created, 'exact') },
          {
            name: t('console-keys.lastUsed'),
            value: apiKey.last_used
              ? formatDate(apiKey.last_used, 'exact')
              : t('console-keys.never'),
          },
          {
            name: t('console-keys.expiry'),
            value: apiKey.date_expires
              ? formatDate(apiKey.date_expires, 'day')
              : t('console-keys.noExpiry'),
          },
        ]}
      />
      {status === 'active' &&
        (apiKey.may_revoke ? (
          <Form
            kind="danger"
            action={t('console-keys.revoke')}
            submit={async (_values, options) => {
              await api.keys.delete(id, options);
              await refresh('keys');
              onClose();
            }}
          >
            <p class="muted">{t('console-keys.revokeText')}</p>
          </Form>
        ) : (
          <p class="muted">{t('console-keys.notYours')}</p>
        ))}
    </Dialog>
  );
}
