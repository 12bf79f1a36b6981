import type { AffiliateWord } from '../../src/shared/affiliate-words.ts';
import type { Language } from '../../src/shared/languages.ts';
/** What the server gives each public page. The page of this name is a file of this folder. */
export interface PageProps {
  program: {
    /** Plain text of the site; empty for the built-in words. */
    headline: string;
    text: string;
    terms: ProgramTerms;
    isOpen: boolean;
    storeUrl: string | undefined;
    hasReference: boolean;
  };
  /** The program page before there is a store. */
  'not-set-up': object;
  /** A message and nothing else, such as "this link has expired". */
  message: {
    title: string;
    text: string;
    action?: {
      label: string;
      href: string;
    };
  };
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
    readonly methods: readonly {
      readonly type: string;
      readonly label: string;
    }[];
  };
}
export type PageName = keyof PageProps;
/** What every page gets. */
export interface PageFrame {
  readonly language: Language;
  /** The query of the address, which the choice of a language keeps. */
  readonly search: string;
  readonly siteName: string;
  readonly affiliateWord: AffiliateWord;
  /** Names of files of the build. */
  readonly style: string;
  readonly script?: string;
}
/** Returns the whole HTML document of a page. */
export type RenderToHtml = <N extends PageName>(
  name: N,
  props: PageProps[N],
  frame: PageFrame,
) => string;
