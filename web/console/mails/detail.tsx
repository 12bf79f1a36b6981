import { useLocation, useParams } from 'wouter-preact';
import { languages } from '../../../src/shared/languages.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { ownNames } from '../../language-names.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import { dropDraft, loadText } from './mail-drafts.ts';
import { MailEditor } from './mail-editor.tsx';
import { sentWhen, titleOf } from './mail-title.ts';
import { Version } from './version.tsx';
import './mail-editor.css';

/** One mail in one language: its text, a preview, a test, and the way back to the built-in text. */
export function MailDetail() {
  const { id: name = '' } = useParams();
  const address = useAddress(`/console/mails/${name}`);
  const [, navigate] = useLocation();
  const { account } = useSession();
  const language = address.oneOf('language', languages) ?? 'en';
  const { data, error, retry } = useData('mails', { name, language }, loadText);
  const close = () => navigate(address.hrefOf({ dialog: undefined }));
  const isShown = data?.mail.name === name && data.mail.language === language;
  return (
    <Screen title={titleOf(name)} back={{ href: '/console/mails', label: t('console.nav.mails') }}>
      {isShown && <p class="muted">{sentWhen(data.mail)}</p>}
      <Segmented
        label={t('console-mails.language')}
        current={language}
        options={languages.map((value) => ({ value, label: ownNames[value] }))}
        hrefOf={(value) => address.hrefOf({ language: value, dialog: undefined })}
      />
      {isShown && data.mail.administrators_only && account.role !== 'administrator' ? (
        <>
          <Notice kind="info">{t('console-mails.onlyAdministrators')}</Notice>
          <Card title={t('console-mails.text')}>
            <Version
              title={t('console-mails.storedNow')}
              words={data.mail}
              language={data.mail.language}
            />
          </Card>
        </>
      ) : isShown ? (
        <MailEditor
          key={`${name}:${language}`}
          stored={data}
          resetHref={address.hrefOf({ dialog: 'reset' })}
        />
      ) : (
        <Pending error={error} retry={retry} lines={10} height="2rem" />
      )}
      {isShown && address.get('dialog') === 'reset' && (
        <Dialog title={t('console-mails.resetTitle')} onClose={close}>
          <p>{t('console-mails.resetText')}</p>
          <Form
            kind="danger"
            action={t('console-mails.reset')}
            submit={async (_values, options) => {
              try {
                await api.mails.delete(name, language, { ...options, ifMatch: data.tag });
                dropDraft(data.mail);
                close();
              } finally {
                await refresh('mails');
              }
            }}
          />
        </Dialog>
      )}
    </Screen>
  );
}
