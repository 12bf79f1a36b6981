import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AffiliateGuide, TeamGuide } from '../../src/web-contract/guides.ts';
import { GuideIcon } from '../ui/icons.tsx';
import { t } from '../words.ts';
import './guide-link.css';

export type ScreenGuide = TeamGuide | AffiliateGuide;

/** The guide that the declaration of the current screen names. */
export const GuideOf = createContext<ScreenGuide | undefined>(undefined);

/** Leads to the guide about a screen, in a tab of its own: what was typed here stays. */
export function GuideLink({ guide }: { guide: ScreenGuide | undefined }) {
  const declared = useContext(GuideOf);
  const address = guide ?? declared;
  if (address === undefined) return null;
  return (
    <a class="guide-link" href={`/help/${address}`} target="_blank" rel="noopener" hreflang="en">
      <GuideIcon aria-hidden />
      <span>
        {t('common.guide')}
        <span class="visually-hidden"> {t('common.newTab')}</span>
      </span>
    </a>
  );
}
