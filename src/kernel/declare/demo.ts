import type { Site } from './site.ts';

/** Something that happened in the past of a demo. */
export interface Happening {
  readonly daysAgo: number;
  happen(): Promise<unknown>;
}

export interface DemoAffiliate {
  readonly id: number;
  readonly name: string;
}

/** What an add-on adds to the sample data of a demo. It checks itself whether it is active. */
export interface DemoPart {
  /** Configuration that replaces real services by servers on this machine. */
  readonly config?: Readonly<Record<string, string>>;
  /** Runs before the first order. */
  prepare?(site: Site, affiliates: readonly DemoAffiliate[]): Promise<void>;
  happenings?(site: Site, affiliates: readonly DemoAffiliate[]): Happening[];
  /** What it created, by name. */
  counts?(): Readonly<Record<string, number>>;
  close?(): Promise<void>;
}
