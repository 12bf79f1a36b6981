import type { PageProps } from '../../src/web-contract/page-props.ts';
import { LinkButton } from '../ui/button.tsx';
import { t } from '../words.ts';
import { descriptionIn, paragraphsOf } from './format.ts';
import type { Page } from './message-pages.tsx';
import './personal-page.css';

type Props = PageProps['personal-page'];

const headlineOf = ({ name }: Props) => t('public.personalPage.headline', { name });

/** What an affiliate tells visitors: it is text and nothing else, whatever the affiliate wrote. */
export const personalPage: Page<Props> = {
  view: PersonalPage,
  title: ({ name }) => name,
  description: (props) => descriptionIn(props.text) ?? headlineOf(props),
  path: ({ code }) => `/with/${encodeURIComponent(code)}`,
  home: ({ link }) => link,
  picture: ({ picture, name }) => picture && { ...picture, text: name },
};

function PersonalPage(props: Props) {
  const { code, name, text, language, picture, link } = props;
  return (
    <div class="personal-page">
      {picture && (
        <img src={picture.url} width={picture.width} height={picture.height} alt={name} />
      )}
      <h1>{headlineOf(props)}</h1>
      {paragraphsOf(text).map((paragraph, index) => (
        <p key={index} class="personal-text" lang={language}>
          {paragraph}
        </p>
      ))}
      <p class="personal-code">
        <span class="muted">{t('public.personalPage.code')}</span>
        <code>{code}</code>
        <span class="muted">{t('public.personalPage.codeHint')}</span>
      </p>
      <LinkButton href={link} rel="sponsored nofollow">
        {t('public.personalPage.toStore')}
      </LinkButton>
      <p class="muted personal-disclosure">{t('public.personalPage.disclosure', { name })}</p>
    </div>
  );
}
