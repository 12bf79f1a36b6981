import type { ComponentChildren } from 'preact';
import type { Loaded } from '../data.ts';
import type { Address } from '../frame/address.ts';
import type { Column } from '../ui/data-table.tsx';
import { Listing } from '../ui/listing.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { t } from '../words.ts';
import './delivery-listing.css';

interface DeliveryListingProps<Row> {
  title: string;
  address: Address;
  list: Loaded<{ items: readonly Row[]; pages: number }>;
  columns: readonly Column<Row>[];
  /** The states that the list can be narrowed to, with their names; the address has the current one. */
  states: readonly { value: string; label: string }[];
  /** Shown if there is no delivery at all. */
  empty: ComponentChildren;
}

/** Deliveries from a store or to a webhook, by state. One of them opens with its id in the address. */
export function DeliveryListing<Row extends { readonly id: number }>(
  props: DeliveryListingProps<Row>,
) {
  const { title, address, states } = props;
  const current = states.find(({ value }) => value === address.get('state'));
  return (
    <>
      <div class="delivery-listing-head">
        <h2>{title}</h2>
        <Segmented
          label={t('console.deliveries.state')}
          current={current?.value ?? ''}
          options={[{ value: '', label: t('console.deliveries.all') }, ...states]}
          hrefOf={(value) => address.hrefOf({ state: value, page: undefined })}
        />
      </div>
      <Listing
        address={address}
        caption={title}
        list={props.list}
        columns={props.columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => address.hrefOf({ delivery: String(id) })}
        filters={['state']}
        empty={props.empty}
      />
    </>
  );
}
