import { hasCode, type CallOptions } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import type { TextVersion, Words } from './mail-drafts.ts';
import { Version } from './version.tsx';

interface ConflictDialogProps {
  /** What is stored by now. */
  stored: TextVersion;
  own: Words;
  onSave(options: CallOptions): Promise<void>;
  onKeepStored(): void;
  onClose(): void;
}

/** Another person has saved the text first: both texts, and the choice between them. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { stored, own, onSave, onKeepStored, onClose } = props;
  const { mail } = stored;
  return (
    <Dialog title={t('console-mails.conflictTitle')} isWide onClose={onClose}>
      <Notice kind="warn">
        {mail.changed
          ? t('console-mails.conflictBy', {
              name: mail.changed.user.display_name,
              date: formatDate(mail.changed.date, 'exact'),
            })
          : t('console-mails.conflictReset')}
      </Notice>
      <div class="mail-versions">
        <Version title={t('console-mails.storedNow')} words={mail} language={mail.language} />
        <Version title={t('console-mails.yours')} words={own} language={mail.language} />
      </div>
      <Form
        action={t('console-mails.saveMine')}
        submit={(_values, options) => onSave(options)}
        beside={
          <Button type="button" kind="quiet" onClick={onKeepStored}>
            {t('console-mails.keepStored')}
          </Button>
        }
      />
    </Dialog>
  );
}

export const isOvertaken = (error: unknown) => hasCode(error, 'svc_api_changed_meanwhile');
