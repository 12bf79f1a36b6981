import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/download-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import './recovery-codes-dialog.css';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose(): void;
}

/** Shown once: the service stores only their hashes. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { program } = useSession();
  const text = codes.join('\n');
  const save = () => {
    const content = `${program.name}: ${t('portal.security.codes')}\n\n${text}\n`;
    saveFile(new Blob([content], { type: 'text/plain' }), 'recovery-codes.txt');
  };
  return (
    <Dialog title={t('portal.security.codes')}>
      <Notice kind="warn">{t('portal.security.codesOnce')}</Notice>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="dialog-actions">
        <CopyButton text={text} label={t('portal.security.codesCopy')} />
        <Button kind="quiet" onClick={save}>
          {t('portal.security.codesSave')}
        </Button>
      </div>
      <Button onClick={onClose}>{t('portal.security.codesDone')}</Button>
    </Dialog>
  );
}
