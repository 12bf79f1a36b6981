import type { Access } from './graphql-order.ts';

interface Discount {
  readonly id: string;
  readonly code: string;
  readonly value: object;
  active: boolean;
}

interface NewDiscount {
  readonly code: string;
  readonly customerGets: { readonly value: object };
}

/** The discount codes of a shop, and what their queries and mutations answer. */
export class FakeDiscounts {
  readonly all: Discount[] = [];
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  root(): object {
    return {
      codeDiscountNodeByCode: ({ code }: { code: string }) => this.#named(code) ?? null,
      discountCodeBasicCreate: (given: { basicCodeDiscount: NewDiscount }) =>
        this.#create(given.basicCodeDiscount),
      discountCodeActivate: ({ id }: { id: string }) => this.#change(id, true),
      discountCodeDeactivate: ({ id }: { id: string }) => this.#change(id, false),
    };
  }

  #named(code: string): Discount | undefined {
    return this.all.find((each) => each.code.toLowerCase() === code.toLowerCase());
  }

  #create({ code, customerGets }: NewDiscount): object {
    this.#access.requireScope('write_discounts', 'discountCodeBasicCreate');
    const refuse = (reason: string, message: string) => {
      const field = ['basicCodeDiscount', 'code'];
      return { userErrors: [{ code: reason, field, message }] };
    };
    if (this.#named(code)) return refuse('TAKEN', 'Code must be unique.');
    if (code.length > 255) return refuse('TOO_LONG', 'Code is too long (maximum is 255)');
    const id = `gid://shopify/DiscountCodeNode/${this.all.length + 1}`;
    // Inputs have no prototype.
    const value = JSON.parse(JSON.stringify(customerGets.value)) as object;
    this.all.push({ id, code, value, active: true });
    return { codeDiscountNode: { id }, userErrors: [] };
  }

  #change(id: string, active: boolean): object {
    this.#access.requireScope('write_discounts', 'discountCodeActivate');
    const discount = this.all.find((each) => each.id === id);
    if (!discount) {
      const message = 'Code discount does not exist.';
      return { userErrors: [{ code: 'INVALID', field: ['id'], message }] };
    }
    discount.active = active;
    return { codeDiscountNode: { id }, userErrors: [] };
  }
}
