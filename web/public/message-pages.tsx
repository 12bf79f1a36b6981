import type { ComponentChildren, FunctionComponent } from 'preact';
import type { PagePicture, PageProps } from '../../src/web-contract/page-props.ts';
import { LinkButton } from '../ui/button.tsx';
import { rich } from '../ui/rich.tsx';
import { t } from '../words.ts';

/** What a page without a form says, and where it leads. */
interface Message {
  title: string;
  /** A paragraph each. */
  texts: readonly ComponentChildren[];
  /** A line for a terminal. */
  command?: string;
  /** The next step. */
  action?: Link | false;
  back?: Link | false;
}

interface Link {
  href: string;
  label: string;
}

const toProgram = (): Link => ({ href: '/', label: t('public.backToProgram') });
const toLogin = (): Link => ({ href: '/app/login', label: t('accounts.backToLogin') });

/** No administrator exists; for the setup, the link is missing, expired or wrong. */
const needsSetup = (title: string): Message => ({
  title,
  texts: [t('public.notSetUp.text'), t('public.notSetUp.newLink')],
  command: './tributary setup',
});

/** What the server renders: a view, and the title of the document. */
export interface Page<P> {
  readonly view: FunctionComponent<P>;
  title(props: P): string;
  /** For search engines and for those that the page is shared with. */
  description?(props: P): string;
  /** The address, for those that the page is shared with; the program page by default. */
  path?(props: P): string;
  /** Where the name of the store above the page leads; to the program page by default. */
  home?(props: P): string;
  /** Shown beside a link to the page. */
  picture?(props: P): PagePicture | undefined;
  /** Without a card around it. */
  readonly isWide?: boolean;
}

function saying<P>(messageOf: (props: P) => Message): Page<P> {
  return {
    view: (props) => <MessagePage {...messageOf(props)} />,
    title: (props) => messageOf(props).title,
  };
}

/** The pages that are a message and nothing else. */
export const messagePages = {
  'apply-closed': saying(() => ({
    title: t('public.applyClosed.title'),
    texts: [t('public.applyClosed.text')],
    back: toProgram(),
  })),
  applied: saying(({ isAccepted, statusUrl }: PageProps['applied']) => ({
    title: t('public.applied.title'),
    texts: [t(isAccepted ? 'public.applied.accepted' : 'public.applied.pending')],
    action: { href: statusUrl, label: t('public.applied.status') },
    back: toProgram(),
  })),
  'apply-status-unknown': saying(() => ({
    title: t('public.status.unknownTitle'),
    texts: [t('public.status.unknownText')],
    back: toProgram(),
  })),
  'setup-is-done': saying(() => ({
    title: t('public.setup.isDone'),
    texts: [t('public.setup.isDoneText')],
    action: { href: '/app/login', label: t('public.program.signIn') },
    back: { href: '/docs', label: t('public.program.developers') },
  })),
  'setup-without-link': saying(() => needsSetup(t('public.setup.needsLink'))),
  'not-set-up': saying(() => needsSetup(t('public.notSetUp.title'))),
  'link-sent': saying(({ email, purpose }: PageProps['link-sent']) => ({
    title: t('accounts.linkSent.title'),
    texts: [
      rich(purpose === 'sign-in' ? 'accounts.linkSent.signInText' : 'accounts.linkSent.text', {
        email: <strong>{email}</strong>,
      }),
      t('accounts.linkSent.nothing'),
    ],
    back: toLogin(),
  })),
  'unsubscribe-unknown': saying(() => ({
    title: t('public.unsubscribe.unknown'),
    texts: [t('public.unsubscribe.unknownText')],
    back: toLogin(),
  })),
  'link-over': saying(({ purpose }: PageProps['link-over']) => ({
    title: t('accounts.linkOver.title'),
    texts: [t('accounts.linkOver.text')],
    action: purpose !== 'email' && {
      href: purpose === 'sign-in' ? '/app/login' : '/app/forgot',
      label: t('accounts.linkOver.newLink'),
    },
    back: purpose !== 'sign-in' && toLogin(),
  })),
};

function MessagePage({ title, texts, command, action, back }: Message) {
  return (
    <>
      <h1>{title}</h1>
      {texts.map((text, i) => (
        <p key={i}>{text}</p>
      ))}
      {command && (
        <pre class="command">
          <code>{command}</code>
        </pre>
      )}
      {action && (
        <p>
          <LinkButton href={action.href}>{action.label}</LinkButton>
        </p>
      )}
      {back && (
        <p>
          <a href={back.href}>{back.label}</a>
        </p>
      )}
    </>
  );
}
