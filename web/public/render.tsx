import { renderToString } from 'preact-render-to-string';
import { languages } from '../../src/shared/languages.ts';
import load from 'texts:public';
import { t, useWords } from '../words.ts';
import { ApplyPage, applyTitle } from './apply.tsx';
import { ApplyStatusPage, statusTitle } from './apply-status.tsx';
import { helpPages } from './help.tsx';
import { Layout } from './layout.tsx';
import { messagePages, type Page } from './message-pages.tsx';
import { ChoosePasswordPage, choosePasswordTitle } from './choose-password.tsx';
import { ConfirmEmailPage, ForgotPage, SignInLinkPage, UnsubscribePage } from './link-pages.tsx';
import { LoginPage } from './login.tsx';
import { SecondStepPage } from './second-step.tsx';
import type {
  PageFrame,
  PageName,
  PagePicture,
  PageProps,
  RenderToHtml,
} from '../../src/web-contract/page-props.ts';
import { personalPage } from './personal-page.tsx';
import { ProgramPage, programDescription, programTitle } from './program.tsx';
import { SetupFinishedPage } from './setup-finished.tsx';
import { SetupPage, setupTitle } from './setup.tsx';

const wordsOf = new Map(
  await Promise.all(
    languages.map(async (language) => [language, await load[language]!()] as const),
  ),
);

const pages: { [N in PageName]: Page<PageProps[N]> } = {
  ...messagePages,
  ...helpPages,
  apply: { view: ApplyPage, title: applyTitle },
  'apply-status': { view: ApplyStatusPage, title: statusTitle },
  setup: { view: SetupPage, title: setupTitle },
  'setup-finished': { view: SetupFinishedPage, title: () => t('public.setup.finished') },
  program: {
    view: ProgramPage,
    title: programTitle,
    description: programDescription,
    picture: ({ picture }) => picture,
    isWide: true,
  },
  'personal-page': personalPage,
  login: { view: LoginPage, title: () => t('accounts.login.title') },
  'second-step': { view: SecondStepPage, title: () => t('accounts.secondStep.title') },
  forgot: { view: ForgotPage, title: () => t('accounts.forgot.title') },
  'sign-in-link': { view: SignInLinkPage, title: () => t('accounts.signInLink.title') },
  'choose-password': { view: ChoosePasswordPage, title: ({ kind }) => choosePasswordTitle(kind) },
  unsubscribe: { view: UnsubscribePage, title: () => t('public.unsubscribe.title') },
  'confirm-email': { view: ConfirmEmailPage, title: () => t('accounts.confirmEmail.title') },
};

export const renderToHtml: RenderToHtml = (name, props, frame) => {
  const { language, search, siteName, affiliateWord, brand, style, script } = frame;
  useWords(language, wordsOf.get(language)!, { site: siteName, affiliateWord });
  const page: Page<typeof props> = pages[name];
  const { view: View, isWide = false } = page;
  const title = page.title(props);
  const description = page.description?.(props);
  const document = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${siteName}`}</title>
        {description && (
          <SharingFacts
            {...{ title, description, frame }}
            path={page.path?.(props) ?? '/'}
            picture={page.picture?.(props)}
          />
        )}
        <link rel="icon" href={brand.logo ?? '/icon.svg'} />
        <link rel="stylesheet" href={`/app/files/${style}`} />
        {brand.style && <link rel="stylesheet" href={brand.style} />}
        {script && <script type="module" src={`/app/files/${script}`} />}
      </head>
      <body>
        <Layout
          {...{ siteName, search, isWide }}
          logo={brand.logo}
          home={page.home?.(props) ?? '/'}
        >
          <View {...props} />
        </Layout>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(document)}`;
};

interface SharingProps {
  title: string;
  description: string;
  path: string;
  picture: PagePicture | undefined;
  frame: PageFrame;
}

/** What search results, messengers and social networks show of a page (https://ogp.me). */
function SharingFacts({ title, description, path, picture, frame }: SharingProps) {
  const { siteName, publicUrl, brand } = frame;
  const facts = {
    'og:type': 'website',
    'og:site_name': siteName,
    'og:title': title,
    'og:description': description,
    'og:url': publicUrl + path,
    ...(picture
      ? {
          'og:image': publicUrl + picture.url,
          'og:image:width': String(picture.width),
          'og:image:height': String(picture.height),
          'og:image:alt': picture.text || siteName,
          'twitter:card': 'summary_large_image',
        }
      : // They show no SVG.
        { 'og:image': brand.logo?.endsWith('.png') ? publicUrl + brand.logo : undefined }),
  };
  return (
    <>
      <meta name="description" content={description} />
      {Object.entries(facts).map(
        ([property, content]) =>
          content && <meta key={property} property={property} content={content} />,
      )}
    </>
  );
}
