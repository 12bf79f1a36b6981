import { Card } from '../../../web/ui/card.tsx';
import { LinkedText } from '../../../web/ui/linked-text.tsx';
import { t } from '../../../web/words.ts';
import { CopiedText } from './copied-text.tsx';

/** The line that counts clicks and remembers visitors on the pages of the shop. */
export function ScriptCard() {
  return (
    <Card title={t('console-stores.script')}>
      <p class="muted">{t('console-stores.scriptText')}</p>
      <ScriptLine />
      <p class="muted">
        <LinkedText text={t('console-stores.scriptGuide')} />
      </p>
    </Card>
  );
}

export function ScriptLine() {
  const { publicUrl } = document.getElementById('app')!.dataset;
  return (
    <CopiedText
      name={t('console-stores.scriptLine')}
      text={`<script src="${publicUrl}/t.js" async></script>`}
      label={t('console-stores.scriptCopy')}
    />
  );
}
