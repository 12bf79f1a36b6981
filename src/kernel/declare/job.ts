import type { Site } from './site.ts';

/** Work that runs periodically in the background. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** `one`: one instance at a time runs the job. `each`: every instance runs it. */
  readonly runsOn: 'one' | 'each';
  /** Runs the job once more when the service stops, so that no data in memory is lost. */
  readonly atStop?: boolean;
  /** Runs while its add-on is switched off as well, because data has to be removed in time. */
  readonly alsoWhileOff?: boolean;
  run(site: Site): Promise<void>;
}

declare module './site.ts' {
  interface Site {
    /** The background jobs of this process: whether they run, and the counts of each. */
    readonly worker: { isAlive(): boolean; jobs(): readonly JobFigures[] };
  }
}

/** The runs of a job in this process. */
export interface JobFigures {
  readonly name: string;
  readonly everyMs: number;
  readonly runs: number;
  readonly failures: number;
  /** The time of the last successful run, by the site's clock. */
  readonly succeededMs: number | undefined;
}
