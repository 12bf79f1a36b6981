import type { FoundEvent, FoundEvents } from '../../../sdk/src/index.ts';
import { formatMoney } from '../../format.ts';
import { formatNumber, hasWord, t } from '../../words.ts';
import { hrefOfObject } from '../object-href.ts';

/** A part of a sentence; with an address it is a link. */
export interface Piece {
  readonly text: string;
  readonly href?: string | undefined;
}

type Names = FoundEvents['names'];
/** Names that events lack, by the kind and the id of the object, or by the key of a setting. */
export type FurtherNames = ReadonlyMap<string, string>;

/** Changes of one moment to one order, such as a referral and its commission. */
export interface Entry {
  readonly main: FoundEvent;
  readonly others: readonly FoundEvent[];
}

/** Not part of any message. */
const MARK = '\u0001';

/** What happened, with names and amounts. The events of extensions, which have no sentence, say it themselves. */
export function piecesOf(
  event: FoundEvent,
  names: Names,
  further: FurtherNames = new Map(),
): Piece[] {
  const [kind, what] = event.event.split('.');
  const key = `console-activity.say.${kind}.${what}`;
  if (!hasWord(key))
    return [{ text: event.info, href: hrefOfObject(event.object_type, event.object_id) }];
  const parts = partsOf(event, names, further);
  const marked = Object.fromEntries(Object.keys(parts).map((name) => [name, MARK + name + MARK]));
  // Every second piece is the name of a placeholder.
  return t(key, marked)
    .split(MARK)
    .map((piece, i) => (i % 2 === 1 ? parts[piece]! : { text: piece }))
    .filter(({ text }) => text !== '');
}

function partsOf(
  { data, kind, object_id: id }: FoundEvent,
  names: Names,
  further: FurtherNames,
): Record<string, Piece> {
  const number = (field: string) => Number(data[field] ?? 0);
  const text = (field: string): Piece => ({ text: String(data[field] ?? '') });
  const named = (type: Names[number]['type'], of: number) =>
    names.find((one) => one.type === type && one.id === of)?.name ??
    t('console-activity.part.person', { id: String(of) });
  const money = (field: string): Piece => {
    const currency = typeof data['currency'] === 'string' ? data['currency'] : undefined;
    return { text: formatMoney(number(field), currency) };
  };
  const linked = (type: string, of: number, words: string): Piece => ({
    text: words,
    href: hrefOfObject(type, of),
  });
  const own = (type: string): Piece => {
    const key = `console-activity.part.${type}`;
    const unnamed = hasWord(key) ? t(key, { id: String(id) }) : `${type} ${id}`;
    return linked(kind, id, further.get(`${kind} ${id}`) ?? unnamed);
  };
  const affiliateOrNone = (of: number): Piece =>
    of === 0
      ? { text: t('console-activity.part.noParent') }
      : linked('affiliate', of, named('user', of));
  const person = number('user_id');
  return {
    [kind]: own(kind),
    person: { text: named('user', person) },
    affiliate: linked('affiliate', person, named('user', person)),
    parent: affiliateOrNone(number('parent_id')),
    owner: affiliateOrNone(person),
    code: linked('coupon', number('coupon_id'), named('coupon', number('coupon_id'))),
    order: linked('order', number('order_id'), `#${number('order_id')}`),
    application: own('application'),
    ended: { text: endOf(String(data['reason'] ?? '')) },
    store: linked(
      'store',
      number('connection_id'),
      t('console-activity.part.store', { kind: String(data['kind'] ?? '') }),
    ),
    amount: money('amount'),
    commission: money('commission'),
    total: money('total'),
    payouts: { text: formatNumber(number('payouts')) },
    status: { text: statusName(String(data['status'] ?? '')) },
    changed: {
      text:
        kind === 'settings'
          ? settingNames(data['changed'], further)
          : changedNames(data['changed']),
    },
    role: text('role'),
    route: text('route'),
    name: text('name'),
    reason: text('reason'),
    sentence: text('sentence'),
    previous: text('previous'),
    last_error: text('last_error'),
  };
}

/** Why a series is over for a person. */
function endOf(reason: string): string {
  const key = `console-activity.ended.${reason}`;
  return hasWord(key) ? t(key) : reason;
}

function statusName(status: string): string {
  const key = `console-orders.status.${status}`;
  return hasWord(key) ? t(key).toLowerCase() : status;
}

const fieldsOf = (changed: unknown): string[] =>
  Array.isArray(changed) ? changed.map(String) : Object.keys(changed ?? {});

/** The settings by their titles; how many they are where a title is missing. */
function settingNames(changed: unknown, titles: FurtherNames): string {
  const keys = fieldsOf(changed);
  const names = keys.flatMap((key) => titles.get(key) ?? []);
  return names.length === keys.length ? names.join(', ') : formatNumber(keys.length);
}

function changedNames(changed: unknown): string {
  return fieldsOf(changed)
    .map((field) => {
      const key = `console-activity.field.${field}`;
      return hasWord(key) ? t(key) : field;
    })
    .join(', ');
}

/**
 * Events that follow each other, belong to the same order and happened at the same moment are one entry: an order
 * that is completed changes its referral and the commission of each level. The order comes first.
 */
export function entriesOf(events: readonly FoundEvent[]): Entry[] {
  const groups: FoundEvent[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && isSameChange(last[0]!, event)) last.push(event);
    else groups.push([event]);
  }
  return groups.map((group) => {
    const main = group.find(({ kind }) => kind === 'referral') ?? group[0]!;
    return { main, others: group.filter((event) => event !== main) };
  });
}

function isSameChange(one: FoundEvent, other: FoundEvent): boolean {
  const order = one.data['order_id'];
  return typeof order === 'number' && order === other.data['order_id'] && one.date === other.date;
}
