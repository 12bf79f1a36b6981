type Read = (path: string) => Promise<any>;

const STORE = '/svc/store/v1';
const RANGE = 'from=2025-12-01&to=2026-12-31';

/** Every balance, figure, ledger and statement of a store with a few coupons: the numbers of the answers, by path. */
export async function readMoney(read: Read): Promise<Record<string, unknown>> {
  const idsAt = async (path: string): Promise<number[]> =>
    (await read(`${path}per_page=100`)).map(({ id }: { id: number }) => id);
  const affiliates = '/svc/v2/affiliates?per_page=100';
  const couponIds = [
    ...(await idsAt('/svc/v2/coupons?')),
    ...(await idsAt('/svc/v2/coupons?assigned=false&')),
  ];
  const ofCoupon = (id: number) => [
    `/svc/v2/coupons/${id}`,
    `/svc/v2/coupons/${id}/stats`,
    `/svc/v2/coupons/${id}/stats?${RANGE}`,
    `/svc/v2/coupons/${id}/orders`,
    `${STORE}/coupons/${id}/ledger`,
    `${STORE}/coupons/${id}/stats/series?interval=month&${RANGE}`,
  ];
  const ofAffiliate = (id: number) => [
    `/svc/v2/affiliates/${id}/stats`,
    `/svc/v2/affiliates/${id}/stats?${RANGE}`,
    `${STORE}/affiliates/${id}/balance`,
    `${STORE}/affiliates/${id}/statement?${RANGE}`,
    `${STORE}/affiliates/${id}/orders`,
    `${STORE}/affiliates/${id}/stats/series?interval=month&${RANGE}`,
  ];
  const paths = [
    affiliates,
    ...couponIds.flatMap(ofCoupon),
    ...(await idsAt('/svc/v2/affiliates?')).flatMap(ofAffiliate),
    '/svc/v2/reports/summary',
    `/svc/v2/reports/summary?${RANGE}`,
    `${STORE}/reports?by=affiliate&${RANGE}`,
    `${STORE}/stats/series?interval=month&${RANGE}`,
    '/svc/v2/payouts',
  ];
  const answers: Record<string, unknown> = {};
  for (const path of paths) answers[path] = numbersOf(await read(path));
  return answers;
}

/** Texts and times differ from one fixture to another. */
function numbersOf(answer: unknown): unknown {
  if (typeof answer === 'number') return answer;
  if (Array.isArray(answer)) return answer.map((row) => numbersOf(row) ?? null);
  if (answer === null || typeof answer !== 'object') return undefined;
  const numbers = Object.entries(answer).map(([name, value]) => [name, numbersOf(value)] as const);
  return Object.fromEntries(numbers.filter(([, value]) => value !== undefined));
}

/** The numbers of an answer where those of another one are. */
export function numbersLike(like: any, answer: any): any {
  if (Array.isArray(like)) return answer.map((row: any, i: number) => numbersLike(like[i], row));
  if (like === null || typeof like !== 'object') return like === null ? null : answer;
  const names = Object.keys(like);
  return Object.fromEntries(names.map((name) => [name, numbersLike(like[name], answer[name])]));
}
