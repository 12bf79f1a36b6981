import { api } from '../../api.ts';
import { replaceAccount, useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { hasWord, t } from '../../words.ts';

/** Which mails a person gets. Mails that protect the account are always sent. */
export function NotificationsSection() {
  const { account } = useSession();
  const notices = Object.entries(account.notifications);
  return (
    <Card title={t('portal.profile.notifications')}>
      <p class="muted">{t('portal.profile.noticesText', { address: account.user.email! })}</p>
      {notices.length > 0 && (
        <Form
          action={t('common.save')}
          done={t('common.saved')}
          submit={async (values, options) => {
            const notifications = Object.fromEntries(
              notices.map(([name]) => [name, values[name] !== undefined]),
            );
            replaceAccount(await api.account.update({ notifications }, options));
          }}
        >
          {notices.map(([name, isOn]) => (
            <SwitchField key={name} name={name} label={noticeName(name)} isOn={isOn} />
          ))}
        </Form>
      )}
    </Card>
  );
}

/** Notices of extensions have no words of ours. */
function noticeName(name: string): string {
  const key = `portal.notice.${name}`;
  return hasWord(key) ? t(key) : name;
}
