import type { FunctionComponent } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { languages } from '../../src/shared/languages.ts';
import load from 'texts:public';
import { t, useWords } from '../words.ts';
import { AppliedPage } from './applied.tsx';
import { ApplyClosedPage } from './apply-closed.tsx';
import { ApplyPage, applyTitle } from './apply.tsx';
import { ApplyStatusPage, statusTitle } from './apply-status.tsx';
import { ApplyStatusUnknownPage } from './apply-status-unknown.tsx';
import { Layout } from './layout.tsx';
import { ChoosePasswordPage, choosePasswordTitle } from './choose-password.tsx';
import { ConfirmEmailPage } from './confirm-email.tsx';
import { ForgotPage } from './forgot.tsx';
import { LinkOverPage } from './link-over.tsx';
import { LinkSentPage } from './link-sent.tsx';
import { LoginPage } from './login.tsx';
import { SecondStepPage } from './second-step.tsx';
import { MessagePage } from './message.tsx';
import type { PageName, PageProps, RenderToHtml } from '../../src/web-contract/page-props.ts';
import { ProgramPage, programTitle } from './program.tsx';
import { SignInLinkPage } from './sign-in-link.tsx';
import { SetupFinishedPage } from './setup-finished.tsx';
import { NotSetUpPage, SetupIsDonePage, SetupWithoutLinkPage } from './setup-over.tsx';
import { SetupPage, setupTitle } from './setup.tsx';

const wordsOf = new Map(
  await Promise.all(
    languages.map(async (language) => [language, await load[language]!()] as const),
  ),
);

interface Page<P> {
  readonly view: FunctionComponent<P>;
  title(props: P): string;
  /** Without a card around it. */
  readonly isWide?: boolean;
}

const pages: { [N in PageName]: Page<PageProps[N]> } = {
  'not-set-up': { view: NotSetUpPage, title: () => t('public.notSetUp.title') },
  applied: { view: AppliedPage, title: () => t('public.applied.title') },
  apply: { view: ApplyPage, title: applyTitle },
  'apply-closed': { view: ApplyClosedPage, title: () => t('public.applyClosed.title') },
  'apply-status': { view: ApplyStatusPage, title: statusTitle },
  'apply-status-unknown': {
    view: ApplyStatusUnknownPage,
    title: () => t('public.status.unknownTitle'),
  },
  setup: { view: SetupPage, title: setupTitle },
  'setup-finished': { view: SetupFinishedPage, title: () => t('public.setup.finished') },
  'setup-is-done': { view: SetupIsDonePage, title: () => t('public.setup.isDone') },
  'setup-without-link': { view: SetupWithoutLinkPage, title: () => t('public.setup.needsLink') },
  program: { view: ProgramPage, title: programTitle, isWide: true },
  login: { view: LoginPage, title: () => t('accounts.login.title') },
  'second-step': { view: SecondStepPage, title: () => t('accounts.secondStep.title') },
  forgot: { view: ForgotPage, title: () => t('accounts.forgot.title') },
  'link-sent': { view: LinkSentPage, title: () => t('accounts.linkSent.title') },
  'sign-in-link': { view: SignInLinkPage, title: () => t('accounts.signInLink.title') },
  'choose-password': { view: ChoosePasswordPage, title: ({ kind }) => choosePasswordTitle(kind) },
  'confirm-email': { view: ConfirmEmailPage, title: () => t('accounts.confirmEmail.title') },
  'link-over': { view: LinkOverPage, title: () => t('accounts.linkOver.title') },
  message: { view: MessagePage, title: ({ title }) => title },
};

export const renderToHtml: RenderToHtml = (name, props, frame) => {
  const { language, search, siteName, affiliateWord, brand, style, script } = frame;
  useWords(language, wordsOf.get(language)!, { site: siteName, affiliateWord });
  const { view: View, title, isWide = false }: Page<typeof props> = pages[name];
  const document = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title(props)} · ${siteName}`}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={`/app/files/${style}`} />
        {brand.style && <link rel="stylesheet" href={brand.style} />}
        {script && <script type="module" src={`/app/files/${script}`} />}
      </head>
      <body>
        <Layout siteName={siteName} logo={brand.logo} search={search} isWide={isWide}>
          <View {...props} />
        </Layout>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(document)}`;
};
