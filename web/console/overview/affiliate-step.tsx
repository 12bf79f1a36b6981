import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';

/** Creates an affiliate with a coupon, and sends the invitation to choose a password. */
export function AffiliateStep() {
  return (
    <>
      <p class="muted">{t('console-overview.affiliate.text')}</p>
      <Form
        action={t('console-overview.affiliate.add')}
        done={t('console-overview.affiliate.added')}
        clears
        errorOf={(field) =>
          field === 'code' || field === 'email' ? t('console-overview.affiliate.taken') : undefined
        }
        submit={async ({ name = '', email = '', code = '' }, options) => {
          const input = { login: loginOf(email), email, display_name: name, coupon: { code } };
          const { user } = await api.affiliates.create(input, options);
          await api.affiliates.invitation(user.id);
          await refresh('overview', 'events');
        }}
      >
        <div class="checklist-fields">
          <Field
            name="name"
            label={t('console-overview.affiliate.name')}
            maxLength={100}
            required
          />
          <Field name="email" type="email" label={t('console-overview.affiliate.email')} required />
          <Field name="code" label={t('console-overview.affiliate.code')} maxLength={50} required />
        </div>
      </Form>
    </>
  );
}

const LOGIN_LENGTH_MAX = 60;

/** The part of the address before the @ sign, with the characters that a login may have. */
function loginOf(email: string): string {
  const name = email.split('@')[0]!.replaceAll(/[^A-Za-z0-9._-]/g, '');
  return name.replace(/^[._-]+/, '').slice(0, LOGIN_LENGTH_MAX) || 'affiliate';
}
