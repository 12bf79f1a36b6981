import { OpenWork } from '../../shared/open-work.ts';
import { perSite } from './site.ts';

/** The requests that this process is answering. */
export const openRequests = perSite(() => new OpenWork());
