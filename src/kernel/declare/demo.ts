import type { Site } from './site.ts';

/** A step of the demo's history. Steps run in order, with the clock set to their day. */
export interface Happening {
  readonly daysAgo: number;
  happen(): Promise<unknown>;
}

export interface DemoAffiliate {
  readonly id: number;
  readonly name: string;
}

/** The sample data of an add-on. The add-on itself checks whether it is active. */
export interface DemoPart {
  /** Configuration that replaces external services by servers on this machine. */
  readonly config?: Readonly<Record<string, string>>;
  /** Runs before the first order. */
  prepare?(site: Site, affiliates: readonly DemoAffiliate[]): Promise<void>;
  happenings?(site: Site, affiliates: readonly DemoAffiliate[]): Happening[];
  /** The number of rows created, by name. */
  counts?(): Readonly<Record<string, number>>;
  close?(): Promise<void>;
}
