import type { Reader } from '../../db/database.ts';
import { Point } from './point.ts';
import type { Site } from './site.ts';

/** How much there is to do. */
export interface NeedSize {
  readonly count: number;
  /** In minor units, where the need is about money. */
  readonly amount?: number;
  /** Which ones, where there are few. */
  readonly items?: readonly NeedItem[];
}

export interface NeedItem {
  readonly id: number;
  readonly name: string;
  /** Why it needs attention; empty if that is not known. */
  readonly reason: string;
}

/** Something that waits for the team of the store. Each is one indexed query, because every overview asks all. */
export interface Need {
  /** `payouts_to_review`; the web app has words for the known ones. */
  readonly name: string;
  /** What waits, in English. */
  readonly title: string;
  /** The roles that can act on it: managers and administrators, or administrators only. */
  readonly access: 'admin' | 'plugin-admin';
  read(db: Reader, site: Site, nowMs: number): Promise<NeedSize>;
}

export const needs = new Point<Need>('overview.needs');

/** A step of the first hour of a store. */
export interface FirstStep {
  readonly name: string;
  /** What to do, in English. */
  readonly title: string;
  /** Without it, a step is done when the team confirms it. */
  isDone?(db: Reader, site: Site): Promise<boolean>;
}

export const firstSteps = new Point<FirstStep>('overview.first-steps');
