import type { AffiliateWord } from '../../src/shared/affiliate-words.ts';
import type { Language } from '../../src/shared/languages.ts';

/** What the server gives each public page. The page of this name is a file of this folder. */
export interface PageProps {
  /** A message and nothing else, such as "this link has expired". */
  message: { title: string; text: string; action?: { label: string; href: string } };
}

export type PageName = keyof PageProps;

/** What every page gets. */
export interface PageFrame {
  readonly language: Language;
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
