import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';

interface OvertakenProps {
  kind: 'rule' | 'bonus';
  /** What is stored now; undefined if it was deleted. */
  sentence: string | undefined;
  onReload(): void;
}

/** Someone else has changed what is in the form. */
export function Overtaken({ kind, sentence, onReload }: OvertakenProps) {
  return (
    <Notice kind="warn">
      <p>{t(`console-rewards.overtaken.${kind}`)}</p>
      <p class="reward-sentence">{sentence ?? t('console-rewards.deleted')}</p>
      <Button kind="quiet" onClick={onReload}>
        {t(`console-rewards.reload.${kind}`)}
      </Button>
    </Notice>
  );
}
