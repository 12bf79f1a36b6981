import type { FunctionComponent } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { NextIcon, PreviousIcon } from '../../ui/icons.tsx';
import { t } from '../../words.ts';
import { Screen } from '../../frame/screen.tsx';
import { SignOutButton } from '../../frame/sign-out-button.tsx';
import { AboutSection } from './about-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import './profile-screen.css';

/** Each section is an address, so that it can be reloaded and gone back to. */
const sections = {
  about: AboutSection,
  notifications: NotificationsSection,
  security: SecuritySection,
  sessions: SessionsSection,
  keys: KeysSection,
} satisfies Record<string, FunctionComponent>;

type SectionName = keyof typeof sections;
// The keys of the object above.
const names = Object.keys(sections) as SectionName[];

/** On a phone a list that leads to the sections, on a laptop both. */
export function ProfileScreen() {
  const [query] = useSearchParams();
  const chosen = names.find((name) => name === query.get('section'));
  const shown = chosen ?? 'about';
  const Section = sections[shown];
  return (
    <Screen title={t('portal.nav.profile')}>
      <div class="profile" data-chosen={chosen !== undefined}>
        <nav class="profile-nav" aria-label={t('portal.profile.sections')}>
          <ul>
            {names.map((name) => (
              <li key={name}>
                <Link
                  href={`/app/profile?section=${name}`}
                  aria-current={name === chosen ? 'page' : undefined}
                  data-default={chosen === undefined && name === shown}
                >
                  {t(`portal.profile.${name}`)}
                  <NextIcon aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
          <SignOutButton />
        </nav>
        <div class="profile-section">
          <p class="profile-back">
            <Link href="/app/profile">
              <PreviousIcon aria-hidden />
              {t('portal.nav.profile')}
            </Link>
          </p>
          <Section key={shown} />
        </div>
      </div>
    </Screen>
  );
}
