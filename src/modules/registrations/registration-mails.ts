import Type from 'typebox';
import { defineMail, inEveryLanguage } from '../mail/index.ts';

/**
 * Contains nothing that the applicant entered: anyone can trigger this mail to any address, and it
 * must not be usable to send text of their choice.
 */
export const receivedMail = defineMail(
  'registration-received',
  inEveryLanguage({
    subject: 'We received your application to {{site.name}}',
    text: `Hello,

Thank you for applying to the {{site.name}} affiliate program. We'll review your application and email you our decision.
{{#status_url}}

See the status of your application here: {{status_url}}
{{/status_url}}

If you didn't apply, you can ignore this email.`,
  }),
  Type.Object({ status_url: Type.String() }),
);

export const acceptedMail = defineMail(
  'registration-accepted',
  inEveryLanguage({
    subject: 'Welcome to the {{site.name}} affiliate program',
    text: `Hello{{#name}} {{name}}{{/name}},

Your application was accepted, and you're now an affiliate of {{site.name}}.

Your coupon code: {{coupon_code}}
Your referral link: {{referral_url}}

You earn a commission on orders that use your code and on orders from visitors who follow your link.
{{#message}}

{{message}}
{{/message}}`,
    html: `<p>Hello{{#name}} {{name}}{{/name}},</p>
<p>Your application was accepted, and you're now an affiliate of {{site.name}}.</p>
<p>Your coupon code: <strong>{{coupon_code}}</strong><br />
Your referral link: <a href="{{referral_url}}">{{referral_url}}</a></p>
<p>You earn a commission on orders that use your code and on orders from visitors who follow your link.</p>
{{#message}}
<p style="white-space:pre-line">{{message}}</p>
{{/message}}`,
  }),
  Type.Object({
    name: Type.String(),
    coupon_code: Type.String(),
    referral_url: Type.String(),
    message: Type.String(),
  }),
);

export const declinedMail = defineMail(
  'registration-declined',
  inEveryLanguage({
    subject: 'Your application to {{site.name}}',
    text: `Hello{{#name}} {{name}}{{/name}},

Thank you for your interest in the {{site.name}} affiliate program. Unfortunately, we can't accept your application.
{{#message}}

{{message}}
{{/message}}`,
  }),
  Type.Object({ name: Type.String(), message: Type.String() }),
);
