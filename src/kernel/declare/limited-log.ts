import { LimitedLog } from '../../shared/limited-log.ts';
import { perSite } from './site.ts';

/** The log for errors that can repeat quickly: it writes one line per cause and minute. */
export const limitedLogOf = perSite((site) => new LimitedLog(site.log, site.monotonic));
