import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import {
  guideReaders,
  guides,
  guidesListedLast,
  type GuideReader,
} from '../../web-contract/guides.ts';
import { readBuilt } from '../web/index.ts';

/** What `scripts/build-help.js` makes of a guide. */
interface BuiltGuide {
  readonly title: string;
  /** Only guides of add-ons say it themselves. */
  readonly reader?: GuideReader;
  /** Its first sentence. */
  readonly about: string;
  /** Everything below the title. */
  readonly html: string;
  /** The first one is the guide's title, with what comes before its other headings. */
  readonly sections: readonly GuideSection[];
  readonly markdown: string;
}

export interface GuideSection {
  readonly anchor: string;
  /** 1 for the title, 2 and more for the headings below it. */
  readonly level: number;
  readonly heading: string;
  /** Plain text, in one line. */
  readonly text: string;
}

export interface GuidePage extends BuiltGuide {
  readonly name: string;
  readonly reader: GuideReader;
}

let known: ReadonlyMap<string, GuidePage> | undefined;

/** All guides in the order in which they are listed, read when someone opens the first of them. */
export function guidePages(): ReadonlyMap<string, GuidePage> {
  known ??= readGuides();
  return known;
}

function readGuides(): ReadonlyMap<string, GuidePage> {
  // The file was written by the build of this version.
  const built = JSON.parse(readBuilt('help.json').toString()) as Record<string, BuiltGuide>;
  const readers: Readonly<Record<string, GuideReader>> = guides;
  const own = Object.keys(guides);
  const ofAddons = Object.keys(built).filter((name) => built[name]!.reader !== undefined);
  const names = own.toSpliced(own.indexOf(guidesListedLast), 0, ...ofAddons);
  const pages = names.map((name): GuidePage => {
    // Every guide has its reader in one of the two places.
    return { name, ...built[name]!, reader: built[name]!.reader ?? readers[name]! };
  });
  const byReader = guideReaders.flatMap((reader) => pages.filter((page) => page.reader === reader));
  return new Map(byReader.map((page) => [page.name, page]));
}

/** An unknown name is a path that does not exist. */
export function guideNamed(name: string): GuidePage {
  const guide = guidePages().get(name);
  if (!guide) throw new ApiError(generalErrors.noRoute);
  return guide;
}
