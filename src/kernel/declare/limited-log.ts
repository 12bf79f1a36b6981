import { LimitedLog } from '../../shared/limited-log.ts';
import { perSite } from './site.ts';

/** The log of a site for what may go wrong often: one line per cause and minute. */
export const limitedLogOf = perSite((site) => new LimitedLog(site.log, site.monotonic));
