import texts from 'texts:portal-leaderboard';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';
import { screenWithTexts } from '../../../web/portal/screen-with-texts.ts';
import { useSession } from '../../../web/session.ts';

declare module '../../../web/data.ts' {
  interface Families {
    leaderboard: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    leaderboard: typeof import('../texts/en.json');
  }
}

const NameChoice = screenWithTexts(
  texts,
  async () => (await import('./name-choice.tsx')).NameChoice,
).View;

export const part: PortalPart = {
  addon: 'leaderboard',
  home: screenWithTexts(texts, async () => (await import('./leaderboard.tsx')).Leaderboard).View,
  profile: () => (useSession().me.is_affiliate ? <NameChoice /> : null),
};
