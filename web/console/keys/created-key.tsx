import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import './created-key.css';

interface CreatedKeyProps {
  token: string;
  onClose: () => void;
}

/** The only time that a key is shown, with a command that works as it is. */
export function CreatedKey({ token, onClose }: CreatedKeyProps) {
  const { publicUrl = location.origin } = document.getElementById('app')!.dataset;
  const curl = `curl -H "Authorization: Bearer ${token}" ${publicUrl}/svc/v2/me`;
  return (
    <Dialog title={t('console-keys.createdTitle')}>
      <Notice kind="warn">{t('console-keys.once')}</Notice>
      <h3>{t('console-keys.token')}</h3>
      <div class="secret-line">
        <code data-secret="key">{token}</code>
        <CopyButton text={token} label={t('console-keys.copyToken')} />
      </div>
      <h3>{t('console-keys.try')}</h3>
      <div class="secret-line">
        <code data-secret="curl">{curl}</code>
        <CopyButton text={curl} label={t('console-keys.copyCurl')} />
      </div>
      <div>
        <Button onClick={onClose}>{t('console-keys.done')}</Button>
      </div>
    </Dialog>
  );
}
