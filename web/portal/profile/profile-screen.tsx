import figuresTexts from 'texts:portal-figures';
import type { FunctionComponent } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { NextIcon, PreviousIcon } from '../../ui/icons.tsx';
import { hasWord, t } from '../../words.ts';
import { lazyScreen } from '../../frame/lazy-screen.tsx';
import { Screen } from '../../frame/screen.tsx';
import { SignOutButton } from '../../frame/sign-out-button.tsx';
import { withTexts } from '../../frame/with-texts.ts';
import { AboutSection } from './about-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { api } from '../../api.ts';
import { replaceAccount, useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import './profile-screen.css';

const LazyFiguresHelp = lazyScreen(
  withTexts(figuresTexts, async () => (await import('./figures-help.tsx')).FiguresHelp),
).View;

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
/** Opened from the section of the keys, which it explains. */
const FIGURES = 'figures';

/** On a phone a list that leads to the sections, on a laptop both. */
export function ProfileScreen() {
  const [query] = useSearchParams();
  const { me } = useSession();
  const given = query.get('section');
  const isFigures = given === FIGURES && me.is_affiliate;
  const chosen = isFigures ? 'keys' : names.find((name) => name === given);
  const shown = chosen ?? 'about';
  const Section = isFigures ? LazyFiguresHelp : sections[shown];
  const [backHref, back] = isFigures
    ? (['/app/profile?section=keys', 'portal-profile.keys'] as const)
    : (['/app/profile', 'portal.nav.profile'] as const);
  return (
    <Screen title={t('portal.nav.profile')} guide={chosen === 'keys' ? 'your-figures' : undefined}>
      <div class="profile" data-chosen={chosen !== undefined}>
        <nav class="profile-nav" aria-label={t('portal-profile.sections')}>
          <ul>
            {names.map((name) => (
              <li key={name}>
                <Link
                  href={`/app/profile?section=${name}`}
                  aria-current={name === chosen ? 'page' : undefined}
                  data-default={chosen === undefined && name === shown}
                >
                  {t(`portal-profile.${name}`)}
                  <NextIcon aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
          <SignOutButton />
        </nav>
        <div class="profile-section">
          <p class="profile-back">
            <Link href={backHref}>
              <PreviousIcon aria-hidden />
              {t(back)}
            </Link>
          </p>
          <Section key={isFigures ? FIGURES : shown} />
        </div>
      </div>
    </Screen>
  );
}

/** Which mails a person gets. Mails that protect the account are always sent. */
function NotificationsSection() {
  const { account } = useSession();
  const notices = Object.entries(account.notifications);
  return (
    <Card title={t('portal-profile.notifications')}>
      <p class="muted">{t('portal-profile.noticesText', { address: account.user.email! })}</p>
      {notices.length > 0 && (
        <Form
          action={t('common.save')}
          done={t('common.saved')}
          submit={async (values, options) => {
            const notifications = Object.fromEntries(
              notices.map(([name]) => [name, values[name] !== undefined]),
            );
            replaceAccount(await api.account.update({ notifications }, options));
          }}
        >
          {notices.map(([name, isOn]) => (
            <SwitchField key={name} name={name} label={noticeName(name)} isOn={isOn} />
          ))}
        </Form>
      )}
    </Card>
  );
}

/** Notices of extensions have no words of ours. */
function noticeName(name: string): string {
  const key = `portal-profile.notice.${name}`;
  return hasWord(key) ? t(key) : name;
}
