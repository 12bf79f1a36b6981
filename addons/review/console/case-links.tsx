import { Link } from 'wouter-preact';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { t } from '../../../web/words.ts';
import { CasePill, PATH } from './review-words.tsx';

/** The cases on which the commission of an order depends; nothing for most orders. */
export function CasesOfOrder({ orderId }: { orderId: number }) {
  const input = { order_id: orderId };
  const { data } = useData('cases', input, () => api.cases.list(input));
  return (
    <>
      {data?.items.map(({ id, state, reason }) => (
        <p key={id} class="case-of-order">
          <CasePill state={state} /> {reason}{' '}
          <Link href={`${PATH}/${id}`}>{t('console-cases.toCase')}</Link>
        </p>
      ))}
    </>
  );
}

/** Leads to the open cases of an affiliate; nothing for most affiliates. */
export function CasesOfAffiliate({ affiliateId }: { affiliateId: number }) {
  const input = { affiliate_id: affiliateId, state: 'open', per_page: 1 } as const;
  const { data } = useData('cases', input, () => api.cases.list(input));
  const count = data?.total ?? 0;
  if (count === 0) return null;
  return (
    <p>
      <Link class="lone-link" href={`${PATH}?affiliate=${affiliateId}`}>
        {t('console-cases.openOfAffiliate', { count })}
      </Link>
    </p>
  );
}
