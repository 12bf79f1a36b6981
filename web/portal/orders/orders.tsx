import { Link, useLocation, useSearch } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { earningsStates } from '../../ui/earnings-pill.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import { withQuery } from '../../frame/navigation.ts';
import { Screen } from '../../frame/screen.tsx';
import { CommissionDialog } from './commission-dialog.tsx';
import { NoOrders, OrderTable } from './order-table.tsx';
import './orders.css';

const PATH = '/app/orders';
const PER_PAGE = 20;

/** The orders that earned something, and those that did not. Search, state and page are the address. */
export function Orders() {
  const { me } = useSession();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const text = query.get('q') ?? '';
  const state = earningsStates.find((known) => known === query.get('state'));
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1);
  const open = Number(query.get('order')) || undefined;
  const { data, error, retry, stale } = useData(
    'orders',
    { search: text || undefined, state, page, per_page: PER_PAGE },
    (input) => api.affiliates.orders.list(me.user.id, input),
  );
  const hrefOf = (changes: Record<string, string | undefined>) => withQuery(PATH, search, changes);
  const isFiltered = text !== '' || state !== undefined;
  return (
    <Screen title={t('portal.nav.orders')}>
      <div class="orders-filters">
        <SearchForm text={text} />
        <Segmented
          label={t('portal.orders.filter')}
          current={state ?? ''}
          options={[
            { value: '', label: t('portal.orders.all') },
            ...earningsStates.map((value) => ({ value, label: t(`common.earnings.${value}`) })),
          ]}
          hrefOf={(value) => hrefOf({ state: value, page: undefined })}
        />
      </div>
      <Card>
        {data ? (
          data.items.length > 0 ? (
            <>
              <OrderTable
                caption={t('portal.nav.orders')}
                orders={data.items}
                hasCodes={me.coupons.length > 1}
                hrefOf={({ order_id }) => hrefOf({ order: String(order_id) })}
                stale={stale}
              />
              <Pager
                label={t('portal.orders.pages')}
                page={page}
                pages={data.pages}
                hrefOf={(other) => hrefOf({ page: other === 1 ? undefined : String(other) })}
              />
            </>
          ) : isFiltered || page > 1 ? (
            <EmptyState
              title={t('portal.orders.noMatchTitle')}
              action={
                <Link class="button" data-kind="quiet" href={PATH}>
                  {t('portal.orders.noMatchAction')}
                </Link>
              }
            >
              {t('portal.orders.noMatchText')}
            </EmptyState>
          ) : (
            <NoOrders />
          )
        ) : (
          <Pending error={error} retry={retry} lines={12} height="2rem" />
        )}
      </Card>
      {open !== undefined && (
        <CommissionDialog
          orderId={open}
          order={data?.items.find(({ order_id }) => order_id === open)}
          closeHref={hrefOf({ order: undefined })}
        />
      )}
    </Screen>
  );
}

function SearchForm({ text }: { text: string }) {
  const [, navigate] = useLocation();
  const search = useSearch();
  return (
    <form
      class="orders-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = String(new FormData(event.currentTarget).get('q')).trim();
        navigate(withQuery(PATH, search, { q, page: undefined }));
      }}
    >
      <input
        // Going back shows the text of that address.
        key={text}
        type="search"
        name="q"
        defaultValue={text}
        maxLength={100}
        aria-label={t('portal.orders.search')}
        placeholder={t('portal.orders.search')}
      />
      <Button kind="quiet" type="submit" aria-label={t('portal.orders.searchAction')}>
        <SearchIcon aria-hidden />
      </Button>
    </form>
  );
}
