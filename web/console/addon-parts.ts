import parts from 'addons:console';
import type { FunctionComponent } from 'preact';
import type { FoundEvent, Report } from '../../sdk/src/index.ts';
import type { TeamGuide } from '../../src/web-contract/guides.ts';
import { hasAddon } from '../addons.ts';
import type { LazyScreen } from '../frame/lazy-screen.tsx';
import type { WordKey } from '../words.ts';
import type { FurtherNames } from './activity/event-text.ts';
import type { TabProps } from './affiliates/tab-props.ts';
import type { ScreenDeclaration } from './console-screen.ts';
import { addObjects } from './object-href.ts';

type ReportKind = Report['by'];

/** What an add-on brings to the console: the `part` of `addons/<name>/console/part.ts`. */
export interface ConsolePart {
  /** The name of the module: without it, nothing is shown. */
  readonly addon: string;
  /** `screens[0]` is the one on which the add-on is set up. */
  readonly screens?: readonly ScreenDeclaration[];
  /** A card below the figures of an affiliate. */
  readonly affiliate?: FunctionComponent<{ id: number }>;
  /** What it adds to the actions on the screen of an affiliate. */
  readonly affiliateActions?: FunctionComponent<{ affiliateId: number }>;
  /** What the team should know of an affiliate before it decides about money or an application. */
  readonly beforeDecision?: FunctionComponent<{ affiliateId: number }>;
  /** What it says of an order. */
  readonly order?: FunctionComponent<{ orderId: number }>;
  /** A tab of an affiliate. */
  readonly affiliateTab?: AffiliateTab;
  /** What it adds to the reports: how they can be divided. */
  readonly reportKinds?: readonly ReportKind[];
  /** What is done in its steps of the first hour, by name. */
  readonly firstSteps?: Readonly<Record<string, FirstStep>>;
  /** How orders arrive by it, where there are none yet. */
  readonly ordersFrom?: OrdersFrom;
  /** Where the team acts on what it adds to the overview, by name. */
  readonly needs?: Readonly<Record<string, NeedPlace>>;
  /** Where the console shows one object of it, by the kind of its events: the path in front of its id. */
  readonly objects?: Readonly<Record<string, string>>;
  /** The names of its objects that events are about, where the events have only their ids. */
  readonly useNames?: (events: readonly FoundEvent[]) => FurtherNames;
  /** The guides of its groups of settings. */
  readonly groupGuides?: Readonly<Record<string, TeamGuide>>;
}

export interface AffiliateTab {
  /** In the address. */
  readonly name: string;
  readonly label: WordKey;
  /** The tab that it stands before. */
  readonly before: string;
  readonly screen: LazyScreen<TabProps>;
}

export interface FirstStep {
  /** Among all steps: those of lower positions come first. */
  readonly position: number;
  readonly Body: FunctionComponent;
}

interface OrdersFrom {
  readonly href: string;
  readonly action: WordKey;
  /** What the overview says before it, after an order was tried. */
  readonly step: WordKey;
}

export interface NeedPlace {
  readonly href: string;
  /** Among all needs: those of lower positions come first. */
  readonly position: number;
  /** Its items are people, who are named in the line. */
  readonly hasPeople?: boolean;
  /** Whom the team would decide about first, so many at most. */
  readonly names?: (max: number) => Promise<string[]>;
}

const all: readonly ConsolePart[] = parts;
export const active = all.filter(({ addon }) => hasAddon(addon));

export const addonScreens = active.flatMap(({ screens = [] }) => screens);

export const addonAffiliateCards = active.flatMap(({ affiliate = [] }) => affiliate);
export const addonAffiliateActions = active.flatMap(
  ({ affiliateActions = [] }) => affiliateActions,
);

/** How active add-ons let reports be divided. */
export const addonReportKinds = active.flatMap(({ reportKinds = [] }) => reportKinds);

export const addonAffiliateTabs = active.flatMap(({ affiliateTab = [] }) => affiliateTab);
export const addonOrdersFrom = active.flatMap(({ ordersFrom = [] }) => ordersFrom);
/** The names that active add-ons know. */
export const useAddonNames = (events: readonly FoundEvent[]) =>
  active.flatMap(({ useNames }) => (useNames ? [...useNames(events)] : []));

/** The name of the screen on which an add-on is set up; others have their settings only. */
export const mainScreenOf = (name: string): string | undefined =>
  active.find(({ addon }) => addon === name)?.screens?.[0]?.name;

/** What all add-ons name, active or not. */
const merged = <T>(of: (part: ConsolePart) => Readonly<Record<string, T>> | undefined) =>
  Object.fromEntries(all.flatMap((part) => Object.entries(of(part) ?? {})));

export const addonGroupGuides: Readonly<Record<string, TeamGuide>> = merged(
  ({ groupGuides }) => groupGuides,
);
export const addonFirstSteps: Readonly<Record<string, FirstStep>> = merged(
  ({ firstSteps }) => firstSteps,
);
export const addonNeeds: Readonly<Record<string, NeedPlace>> = merged(({ needs }) => needs);
addObjects(merged(({ objects }) => objects));
