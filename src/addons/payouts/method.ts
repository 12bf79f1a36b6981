import type { TObject } from 'typebox';
import type { Gateway } from './extension.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** A way to be paid: what an affiliate tells about its destination, and who carries the money there. */
export interface PayoutMethod {
  /** The machine's name: `banktransfer`. */
  readonly type: string;
  /** The name that people read: `Bank transfer`. */
  readonly label: string;
  /** What the destination is made of. */
  readonly details: TObject;
  /** The destination so that its owner recognises it and nobody else can use it: `DE…4321`. */
  mask(details: Record<string, unknown>): string;
  /** What carries the money; undefined where people do, or where it is not set up. */
  gateway(site: Site): Gateway | undefined;
}
