import { t } from '../words.ts';
import { Button } from './button.tsx';
import { ShareIcon } from './icons.tsx';

/** Opens the share sheet of the device; nothing where there is none. */
export function ShareButton({ url, title }: { url: string; title: string }) {
  if (typeof navigator.share !== 'function') return null;
  const share = async () => {
    try {
      await navigator.share({ url, title });
    } catch (error) {
      // Closing the sheet without a choice is no error.
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    }
  };
  return (
    <Button kind="quiet" type="button" onClick={() => void share()}>
      <ShareIcon aria-hidden />
      {t('common.share')}
    </Button>
  );
}
