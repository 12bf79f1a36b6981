import { isbot } from 'isbot';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { keepOrigin, type ClickOrigin } from './click-origin.ts';
import { findClickable, findLastClicks, insertClick } from './click-rows.ts';
import { hashVisitor, toClick } from './click.ts';
import { countLandingPage } from './count-landing-pages.ts';
import { takeFromRecordingLimit } from './recording-limit.ts';
import { knownSource, type Source } from './source.ts';

/** A visitor who comes again sooner is still on the same visit. */
const VISIT_MS = 60 * 60_000;

const AGENT_LENGTH_MAX = 400;

/** Whether a user agent is a bot. `isbot` takes 18 to 37 µs for the name of a browser, and many visitors share one. */
const knownAgents = new BoundedMap<string, boolean>(2_000);

/** Programs without a name are bots too. */
function isBot(userAgent: string): boolean {
  const name = userAgent.slice(0, AGENT_LENGTH_MAX);
  let verdict = knownAgents.get(name);
  if (verdict === undefined) knownAgents.set(name, (verdict = name === '' || isbot(name)));
  return verdict;
}

/** Whether a request is a visit by a person, and within the limits. */
export async function mayCount(
  site: Site,
  request: RequestFacts,
  { visitor, couponId }: { visitor: string; couponId: number },
): Promise<boolean> {
  const { isVisit, userAgent, network } = request;
  if (!isVisit || isBot(userAgent)) return false;
  return takeFromRecordingLimit(site, { network, visitor, couponId });
}

export interface Visit {
  code: string;
  campaign: string;
  visitor: string;
  /** The path of the landing page. */
  path: string;
  /** False if the visitor id was just created, so that there cannot be an earlier click. */
  isReturning: boolean;
  origin: ClickOrigin;
  source: Source | undefined;
}

/**
 * Records a click, unless the visitor's last one, within an hour, was on the same coupon. One on another coupon in
 * between starts a new visit, because an order is credited to the visitor's last click. Returns the id of the new
 * or the earlier click; undefined if no active coupon has the code.
 */
export function recordVisit(
  site: Site,
  { code, campaign, visitor, path, isReturning, origin, source }: Visit,
  nowMs: number,
): Promise<number | undefined> {
  return site.database.transaction(async (tx) => {
    const coupon = await findClickable(tx, { code });
    if (!coupon) return undefined;
    if (isReturning) {
      const visitor_hash = hashVisitor(site, visitor);
      await tx.lock(`clicks of ${visitor_hash}`);
      const span = { visitor_hash, since: nowMs - VISIT_MS, until: nowMs };
      const [last] = await findLastClicks(tx, [span]);
      if (last?.coupon_id === coupon.id) return last.id;
    }
    tx.afterCommit(() => countLandingPage(site, path, nowMs));
    const couponId = coupon.id;
    const click = toClick(site, { couponId, campaign, visitor, atMs: nowMs });
    const id = await insertClick(tx, click, await knownSource(tx, site, source));
    keepOrigin(tx, site, { id, couponId }, origin);
    return id;
  });
}
