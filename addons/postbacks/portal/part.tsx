import texts from 'texts:portal-postbacks';
import { Link } from 'wouter-preact';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';
import { screenWithTexts } from '../../../web/portal/screen-with-texts.ts';
import { useSession } from '../../../web/session.ts';
import { t } from '../../../web/words.ts';

const ADDRESS = '/app/postbacks';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    postbacks: 'affiliate';
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    postbacks: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    postbacks: typeof import('../texts/en.json');
  }
}

export const part: PortalPart = {
  addon: 'postbacks',
  screens: [
    {
      path: ADDRESS,
      label: 'portal.nav.postbacks',
      section: 'profile',
      screen: screenWithTexts(
        texts,
        async () => (await import('./postbacks-screen.tsx')).PostbacksScreen,
      ),
      guide: 'postbacks',
    },
  ],
  orders: () => (
    <p>
      <Link class="button" data-kind="quiet" href={ADDRESS}>
        {t('portal-orders.postbacks')}
      </Link>
    </p>
  ),
  programs: () =>
    useSession().me.is_affiliate ? (
      <p>
        <Link class="lone-link" href={ADDRESS}>
          {t('portal.nav.postbacks')}
        </Link>
      </p>
    ) : null,
};
