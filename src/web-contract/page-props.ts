import type { Language } from '../shared/languages.ts';
import type { AffiliateWord } from './affiliate-words.ts';
import type { GuideReader } from './guides.ts';

/** What the server gives each public page. */
export interface PageProps {
  program: {
    /** Plain text of the site; empty for the built-in words. */
    headline: string;
    text: string;
    /** In the simple formatting of `FormattedText`; empty without own sections. */
    sections: string;
    picture: PagePicture | undefined;
    terms: ProgramTerms;
    /** What earns nothing, whatever the other rules say, as sentences. */
    exclusions: readonly string[];
    /** The other reward rules that hold for everyone, as sentences in the order in which they are asked. */
    rules: readonly string[];
    /** The bonuses for everyone, as sentences. */
    bonuses: readonly string[];
    isOpen: boolean;
    storeUrl: string | undefined;
    hasReference: boolean;
  };
  /** What an affiliate tells visitors before they go to the store. */
  'personal-page': {
    code: string;
    name: string;
    /** Plain text of the affiliate; an empty line begins a paragraph. */
    text: string;
    /** Of the text; undefined if it is not known. */
    language: Language | undefined;
    picture: Omit<PagePicture, 'text'> | undefined;
    /** To the store. */
    link: string;
  };
  /** The application form. */
  apply: ApplicationFormProps;
  'apply-closed': object;
  /** After applying. */
  applied: { isAccepted: boolean; statusUrl: string };
  'apply-status': ApplicationStatusProps;
  /** A link to a status that does not exist. */
  'apply-status-unknown': object;
  /** One page of the setup. */
  setup: SetupProps;
  'setup-finished': {
    login: string;
    /** Shown on this page only. */
    key: string;
    /** Lines for a terminal. */
    lines: readonly [affiliate: string, order: string, commission: string];
    applyUrl: string;
    isPlainHttp: boolean;
  };
  'setup-is-done': object;
  'setup-without-link': object;
  /** The program page before there is a store. */
  'not-set-up': object;
  login: {
    /** A path of this site. */
    next: string;
    login: string;
    notice?: 'signed-out' | 'password-set' | 'address-confirmed' | undefined;
    error?: 'wrong' | 'wait' | 'failed';
    /** How long to wait. */
    seconds?: number;
    /** Whether browsers accept passkeys for the address of this site. */
    hasPasskeys: boolean;
    /** Whether a link by email can replace the password. */
    hasLinks: boolean;
    /** An address that no link can be sent to. */
    invalidEmail?: string | undefined;
  };
  'second-step': {
    next: string;
    token: string;
    /** How the step can be taken. */
    methods: readonly ('totp' | 'passkey' | 'recovery')[];
    error?: 'wrong';
  };
  forgot: { email: string; isInvalid?: boolean };
  'link-sent': { email: string; purpose: 'reset' | 'sign-in' };
  'sign-in-link': { token: string; name: string };
  'choose-password': {
    kind: 'reset' | 'invitation';
    token: string;
    login: string;
    minimum: number;
    error?: 'length' | 'common' | 'personal' | 'pattern' | 'wait' | 'failed' | undefined;
  };
  'confirm-email': { token: string; email: string };
  /** Before and after unsubscribing from mails to many. */
  unsubscribe: { token: string; isDone: boolean };
  'unsubscribe-unknown': object;
  help: {
    readers: readonly {
      reader: GuideReader;
      guides: readonly { name: string; title: string; about: string }[];
    }[];
  };
  'help-search': { query: string; hits: readonly GuideHit[] };
  guide: {
    name: string;
    reader: GuideReader;
    title: string;
    /** Its first sentence. */
    about: string;
    html: string;
    contents: readonly { anchor: string; level: number; heading: string }[];
  };
  /** A link that was used, was replaced or has expired. */
  'link-over': { purpose: 'reset' | 'invitation' | 'email' | 'sign-in' };
}

/** A section of a guide that has what was searched for. */
export interface GuideHit {
  /** Of the guide. */
  readonly title: string;
  /** Undefined for what comes before its first heading. */
  readonly heading: string | undefined;
  readonly href: string;
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[];
}

export interface PagePicture {
  /** A path of this site. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** What it shows; empty if it is decoration. */
  readonly text: string;
}

/** The fields of the application form that every site has. */
export const applicationFields = [
  'display_name',
  'email',
  'login',
  'website',
  'promote',
  'coupon_code',
  'referrer',
] as const;
export type ApplicationField = (typeof applicationFields)[number];

export interface ApplicationFormProps {
  readonly values: Readonly<Record<ApplicationField, string>>;
  readonly errors: readonly ApplicationField[];
  /** Fields that the site has defined. */
  readonly ownFields: readonly OwnField[];
  /** An error of no single field. */
  readonly problem?: 'taken' | 'applied' | 'limited' | 'refused';
}

export interface OwnField {
  readonly name: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly type: 'text' | 'long_text' | 'choice' | 'url' | 'country';
  readonly required: boolean;
  readonly choices: readonly string[];
  readonly value: string;
  readonly error: 'required' | 'choice' | 'url' | 'country' | 'long' | undefined;
}

export interface ApplicationStatusProps {
  readonly status: 'pending' | 'accepted' | 'declined';
  /** Local times of the store. */
  readonly date: string;
  readonly decided: string | null;
  /** The store's words with the decision. */
  readonly message: string;
  readonly couponCode: string;
  /** For an accepted applicant who has no password yet. */
  readonly invitation?: { readonly token: string; readonly isSent: boolean };
}

/** The pages of the setup that have fields. */
export const setupSteps = {
  store: ['store_name', 'store_url', 'language'],
  money: ['currency', 'timezone'],
  commission: ['percent', 'cookie_days', 'hold_days'],
  you: ['login', 'email', 'password'],
} as const;
export type SetupStep = keyof typeof setupSteps;
export type SetupField = (typeof setupSteps)[SetupStep][number];
export type SetupProblem = 'taken' | 'busy' | 'refused';

export interface SetupProps {
  readonly token: string;
  readonly step: SetupStep;
  readonly texts: Readonly<Record<SetupField, string>>;
  readonly errors: readonly SetupField[];
  /** An error of no single field. */
  readonly problem?: SetupProblem;
  /** Fields that the configuration decides. */
  readonly fixed: readonly SetupField[];
  readonly timeZones: readonly string[];
  /** The time zone is a guess, not a choice. */
  readonly isZoneSuggested: boolean;
  readonly passwordLength: number;
}

/** Amounts are in major units. */
export interface ProgramTerms {
  readonly currency: string;
  readonly percent: number;
  readonly fixedPerOrder: number;
  readonly fixedPerProduct: number;
  /** 0: no limit. */
  readonly maxPerOrder: number;
  readonly cookieDays: number;
  readonly isForLife: boolean;
  readonly holdDays: number;
  readonly payouts?: {
    readonly minimum: number;
    readonly methods: readonly { readonly type: string; readonly label: string }[];
  };
}

export type PageName = keyof PageProps;

/** What every page gets. */
export interface PageFrame {
  readonly language: Language;
  /** The query of the address, which the choice of a language keeps. */
  readonly search: string;
  readonly siteName: string;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  readonly affiliateWord: AffiliateWord;
  /** Paths of the logo and of the style sheet with the colours of the site. */
  readonly brand: { readonly logo: string | undefined; readonly style: string | undefined };
  /** Names of files of the build. */
  readonly style: string;
  readonly script?: string;
}

/** Returns the complete HTML document of a page. */
export type RenderToHtml = <N extends PageName>(
  name: N,
  props: PageProps[N],
  frame: PageFrame,
) => string;
