import { wantedProof } from '../act.ts';
import { Dialog } from '../ui/dialog.tsx';
import { t } from '../words.ts';
import { lazyScreen } from './lazy-screen.tsx';
import { usePreload } from './use-preload.ts';

const proof = lazyScreen(async () => (await import('./proof.tsx')).Proof);

/** Asks who is at the screen when a change needs to know it. The change then goes on by itself. */
export function ProofDialog() {
  const question = wantedProof.value;
  usePreload(proof);
  return question ? (
    <Dialog title={t('accounts.proof.title')} onClose={question.giveUp}>
      <p>{t('accounts.proof.text')}</p>
      <proof.View onDone={question.answer} />
    </Dialog>
  ) : null;
}
