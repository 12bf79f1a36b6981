import type { Site } from './site.ts';

/** Work that happens by itself, in the background. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** `one`: a single instance at a time runs it. `each`: every instance runs its own. */
  readonly runsOn: 'one' | 'each';
  /** Once more when the service stops, so that nothing held in memory is lost. */
  readonly atStop?: boolean;
  run(site: Site): Promise<void>;
}

declare module './site.ts' {
  interface Site {
    /** The background jobs of this process: whether they run, and the figures of each. */
    readonly worker: { isAlive(): boolean; jobs(): readonly JobFigures[] };
  }
}

/** The runs of a job in this process. */
export interface JobFigures {
  readonly name: string;
  readonly everyMs: number;
  readonly runs: number;
  readonly failures: number;
  /** When it last succeeded, by the site's clock. */
  readonly succeededMs: number | undefined;
}
