import type { AffiliateDetails } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { AreaField, Field, SelectField } from '../../ui/field.tsx';
import { Form, type FormProps } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { AffiliateField, affiliateWithLogin } from './affiliate-field.tsx';
import { namesIn, ReasonField } from './bulk-dialog.tsx';

/** What the form of an act on an affiliate gets. */
export interface ActFormProps {
  readonly affiliate: AffiliateDetails;
  readonly tags: readonly string[];
  onClose(): void;
}

/** A form that changes the affiliate: afterwards the screens are loaded again, and the dialog is closed. */
function ChangeForm({ onClose, submit, ...form }: FormProps & Pick<ActFormProps, 'onClose'>) {
  return (
    <Form
      {...form}
      submit={async (values, options) => {
        await submit(values, options);
        await refresh('affiliates', 'coupons', 'tags');
        onClose();
      }}
    />
  );
}

/** Leads to the portal as the affiliate sees it. The feed records each look. */
export function ViewForm({ affiliate }: ActFormProps) {
  return (
    <Form
      action={t('console-affiliates.act.view')}
      submit={async (_values, options) => {
        const { url } = await api.affiliates.views.create(affiliate.id, options);
        location.assign(url);
      }}
    >
      <p>{t('console-affiliates.viewText')}</p>
    </Form>
  );
}

export function EditForm({ affiliate, tags, onClose }: ActFormProps) {
  const groups = useData('groups', { per_page: 100 }, (input) => api.groups.list(input));
  const { user } = affiliate;
  return (
    <ChangeForm
      onClose={onClose}
      action={t('console-affiliates.save')}
      errorOf={(name) => (name === 'tags' ? t('console-affiliates.tagsHint') : undefined)}
      submit={async (values, options) => {
        const wanted = groups.data
          ? {
              groups: groups.data.items
                .filter(({ id }) => `group-${id}` in values)
                .map((g) => g.name),
            }
          : {};
        await api.affiliates.update(
          affiliate.id,
          { display_name: values['display_name'], email: values['email'], ...wanted },
          options,
        );
        await api.affiliates.tags.set(affiliate.id, { tags: namesIn(values['tags'] ?? '') });
      }}
    >
      <Field
        name="display_name"
        label={t('console-affiliates.name')}
        required
        maxLength={100}
        defaultValue={user.display_name}
      />
      <Field
        name="email"
        type="email"
        label={t('console-affiliates.email')}
        required
        defaultValue={user.email ?? ''}
      />
      {groups.data && groups.data.items.length > 0 && (
        <fieldset class="group-boxes">
          <legend>{t('console-affiliates.groups')}</legend>
          {groups.data.items.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                name={`group-${id}`}
                defaultChecked={affiliate.groups.includes(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <Field
        name="tags"
        label={t('console-affiliates.tags')}
        maxLength={400}
        defaultValue={tags.join(', ')}
        hint={t('console-affiliates.tagsHint')}
      />
    </ChangeForm>
  );
}

export function StatusForm({ affiliate, onClose }: ActFormProps) {
  const isActive = affiliate.status === 'active';
  return (
    <ChangeForm
      onClose={onClose}
      action={t(isActive ? 'console-affiliates.act.suspend' : 'console-affiliates.act.reinstate')}
      kind={isActive ? 'danger' : 'primary'}
      submit={async ({ reason }, options) => {
        const status = isActive ? 'suspended' : 'active';
        await api.affiliates.update(affiliate.id, { status, ...(reason && { reason }) }, options);
      }}
    >
      <p>{t(isActive ? 'console-affiliates.suspendText' : 'console-affiliates.reinstateText')}</p>
      <ReasonField />
    </ChangeForm>
  );
}

export function AdjustForm({ affiliate, onClose }: ActFormProps) {
  return (
    <ChangeForm
      onClose={onClose}
      action={t('console-affiliates.act.adjust')}
      errorOf={(name) => (name === 'amount' ? t('console-affiliates.amountFault') : undefined)}
      submit={async ({ coupon, amount, note }, options) => {
        const change = { amount: Number(amount!.replace(',', '.')), note: note! };
        await api.coupons.adjustments.create(Number(coupon), change, options);
      }}
    >
      <SelectField
        name="coupon"
        label={t('console-affiliates.coupon')}
        required
        options={affiliate.coupons.map(({ id, code }) => ({ value: String(id), label: code }))}
      />
      <Field
        name="amount"
        label={t('console-affiliates.amount')}
        required
        inputMode="decimal"
        autocomplete="off"
        pattern="-?[0-9]+([.,][0-9]+)?"
        hint={t('console-affiliates.amountHint')}
      />
      <AreaField
        name="note"
        label={t('console-affiliates.reason')}
        required
        rows={2}
        maxLength={500}
        hint={t('console-affiliates.adjustHint')}
      />
    </ChangeForm>
  );
}

export function InviteForm({ affiliate }: ActFormProps) {
  return (
    <Form
      action={t('console-affiliates.act.invite')}
      done={t('console-affiliates.invited')}
      submit={(_values, options) => api.affiliates.invitation(affiliate.id, options)}
    >
      <p>{t('console-affiliates.inviteText', { email: affiliate.user.email ?? '' })}</p>
    </Form>
  );
}

export function ParentForm({ affiliate, onClose }: ActFormProps) {
  const parent = Object.values(affiliate.mla_parents)[0];
  return (
    <ChangeForm
      onClose={onClose}
      action={t('console-affiliates.save')}
      errorOf={() => t('console.affiliateUnknown')}
      submit={async (values, options) => {
        const parent_id = await affiliateWithLogin(values['parent_id'] ?? '');
        await api.affiliates.parent.set(affiliate.id, { parent_id }, options);
      }}
    >
      <AffiliateField
        name="parent_id"
        label={t('console-affiliates.parent')}
        value={parent?.login ?? ''}
      />
    </ChangeForm>
  );
}

export function AnonymiseForm({ affiliate, onClose }: ActFormProps) {
  const login = affiliate.user.login ?? '';
  return (
    <ChangeForm
      onClose={onClose}
      action={t('console-affiliates.act.anonymise')}
      kind="danger"
      errorOf={() => t('console-affiliates.loginFault', { login })}
      submit={async (values, options) => {
        await api.affiliates.anonymise(affiliate.id, { login: values['login']! }, options);
      }}
    >
      <Notice kind="warn">{t('console-affiliates.anonymiseText')}</Notice>
      <Field
        name="login"
        label={t('console-affiliates.confirmLogin', { login })}
        required
        autocomplete="off"
        autocapitalize="none"
      />
    </ChangeForm>
  );
}
