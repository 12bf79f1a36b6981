import texts from 'texts:console-postbacks';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';
import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import { withTexts } from '../../../web/frame/with-texts.ts';

export const part: ConsolePart = {
  addon: 'postbacks',
  affiliate: lazyScreen(
    withTexts(texts, async () => (await import('./postbacks-card.tsx')).PostbacksCard),
  ).View,
};
