import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import type { Site } from '../../src/kernel/declare/site.ts';
import type { FillKit } from '../growth/fill-kit.ts';
import type { Growth } from '../growth/grows.ts';
import type { Case } from '../growth/request.ts';
import type { Reply, TestApp } from './harness.ts';

/** The input of a request; its values replace `{id}` in the path. */
export interface Scenario {
  values?: Record<string, number | string>;
  json?: unknown;
  /** Sends the request without credentials. */
  anonymous?: boolean;
  /** By default the administrator's. */
  key?: string;
}

/** `fresh` makes a name that nothing else has; `send` calls the store API as the administrator. */
type Prepare = (
  fresh: (name: string) => string,
  send: (method: string, path: string, json?: object) => Promise<Reply>,
  app: TestApp,
) => Scenario | Promise<Scenario>;

/** By the name of the operation and what is sent. */
export type Scenarios = Readonly<Record<string, Readonly<Record<string, Prepare>>>>;

/** Where its files are in the lists of runs.ts, by the reason. */
export interface Runs {
  readonly leftOnSqlite?: Readonly<Record<string, readonly string[]>>;
  readonly differsOnPostgres?: Readonly<Record<string, readonly string[]>>;
  readonly longHistories?: readonly string[];
  /** As in scripts/bundle-tests.ts. */
  readonly fromSources?: readonly string[];
  /** As in suspicion/test-files.ts. */
  readonly noted?: readonly string[];
}
/** A call of the store API: the operation, what replaces `{name}` in its path, and the body. */
export type Change = readonly [
  operation: `${'PATCH' | 'POST' | 'PUT'} /${string}`,
  values: Readonly<Record<string, string>>,
  json: object,
];

/** What the sweeping tests ask of an add-on: the `facts` of `addons/<name>/test/facts.ts`. Everything is optional. */
export interface AddonFacts {
  /** The setting by which it is shown, where it is off by default. */
  readonly switchedOnBy?: string;
  /** The setting by which it may call this machine, as tests have it do. */
  readonly sendsHereBy?: string;
  /** What an extension adds to it, as a property in JavaScript, for the tests that send every POST. */
  readonly extensionHook?: string;
  /** As in personal-columns.ts. */
  readonly personalColumns?: Readonly<Record<string, string | Record<string, string>>>;
  /** Stores something about an affiliate in each of these columns, by calls of the store API where there are any. */
  readonly fillPerson?: (
    send: (method: string, path: string, json: object) => Promise<any>,
    userId: number,
    app: TestApp,
  ) => Promise<void>;
  /** What its files decode that is no file, by their paths. */
  readonly decodes?: Readonly<Record<string, string>>;
  /** As in without-proof.ts. */
  readonly withoutProof?: Readonly<Record<string, string>>;
  readonly settingsWithoutProof?: Readonly<Record<string, string>>;
  /** What in a session needs a recent proof: the path and the input of a POST that can succeed once, or of a PATCH. */
  readonly asksForProof?: Readonly<
    Record<string, readonly [path: string, json: object, method?: 'PATCH']>
  >;
  /** Settings that no form shows. */
  readonly hiddenSettings?: readonly string[];
  /** Paths by which an affiliate reads about others, and why that is right. */
  readonly readsOthers?: Readonly<Record<string, string>>;
  /** Addresses in the console and the guide that their heads lead to. */
  readonly consoleGuides?: Readonly<Record<string, string>>;
  readonly portalGuides?: Readonly<Record<string, string>>;
  /** Addresses of its screens, and of what it adds to others, for the tests that visit all. */
  readonly screens?: { readonly portal?: readonly string[]; readonly console?: readonly string[] };
  /** Addresses of the console with a form to fill in, beside those that end in `?create=1`. */
  readonly forms?: readonly string[];
  /** Makes something to show with the coupon of an affiliate, and answers the addresses of the console that show it. */
  readonly beforeScreens?: (app: TestApp, code: string) => Promise<readonly string[]>;
  /** Its guides that no screen is about, with the page that leads to them. */
  readonly guidesWithoutScreen?: Readonly<Record<string, string>>;
  /** What an administrator sets up a few of, by its table: the path and the input of a POST, as in growth/filled-store.ts. */
  readonly setUp?: Readonly<Record<string, readonly [path: string, json: object]>>;
  /** Tables that do not grow with use, as in growth/fill.ts. */
  readonly notFilled?: Readonly<Record<string, string>>;
  /** Tables with a row for each order, or for what happens to it. */
  readonly tablesOfOrders?: readonly string[];
  /** SQL for the values of row `i` of its tables that do grow, as there. */
  readonly filledWith?:
    | Readonly<Record<string, string>>
    | ((kit: FillKit) => Readonly<Record<string, string>>);
  /** As in growth/grows.ts. */
  readonly grows?: Readonly<Record<string, Growth>>;
  /** A request for each POST, as in idempotent-posts.test.ts. */
  readonly posts?: Scenarios;
  /** As in growth/cases.ts. */
  readonly growthCases?: Readonly<Record<string, Case>>;
  /** Files of tests that would only repeat on a server what they do on SQLite, as in postgres/repeats.ts. */
  readonly repeatsOnPostgres?: readonly string[];
  readonly runs?: Runs;
  /** What checks texts of a caller beside the contracts of its operations, by a name. */
  readonly schemasOfTexts?: (site: Site) => Promise<Readonly<Record<string, TSchema>>>;
  /** Has its metrics shown that need more than a start. */
  readonly showMetrics?: (site: Site) => Promise<void>;
  /** Test files that have no test without a server. */
  readonly serverOnly?: readonly string[];
  /** Lets affiliates be paid to one account without a case, for tests in which many are paid. */
  readonly allowsOneAccount?: Change;
  /** What makes everything in a service suspicious, as in test/suspicion. */
  readonly suspicion?: (
    action: 'hold' | 'note',
    nowMs: number,
  ) => {
    /** The sources of the hooks of an extension. */
    readonly extension: Readonly<Record<'name' | (string & {}), string>>;
    readonly changes: readonly Change[];
    readonly statements: readonly string[];
  };
  /** Fails unless the demo has sample data of the add-on; `read` calls the store API as an affiliate of the demo. */
  readonly assertInDemo?: (read: (path: string) => Promise<string>) => Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const files = globSync('addons/*/test/facts.ts', { cwd: root }).sort();

// Not awaited: in a bundle, a module that waits for an import can wait for itself.
const load = createRequire(import.meta.url);

export const addonFacts: readonly AddonFacts[] = files.map(
  (file) => (load(join(root, file)) as { facts: AddonFacts }).facts,
);

/** A list of the core, and what the add-ons add to it. */
export function withAddons<T>(
  own: Readonly<Record<string, T>>,
  of: (facts: AddonFacts) => Readonly<Record<string, T>> | undefined,
): Readonly<Record<string, T>> {
  return Object.assign({}, own, ...addonFacts.map(of)) as Record<string, T>;
}
