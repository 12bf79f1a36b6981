import Type from 'typebox';
import { defineMail } from '../../mail/index.ts';

/** Its link is the invitation, or the sign-in page for an applicant who has a password. */
export const acceptedMail = defineMail(
  'registration-accepted',
  {
    en: {
      subject: 'Welcome to the {{site.name}} {{affiliate}} program',
      text: `Hello{{#name}} {{name}}{{/name}},

Your application was accepted. Welcome to the {{site.name}} {{affiliate}} program!

Your coupon code: {{coupon_code}}
Your referral link: {{referral_url}}

You earn a commission on orders that use your code and on orders from visitors who follow your link.
{{#message}}

{{message}}
{{/message}}
{{#invited}}

Choose a password to see what you earn and to request payouts. The link works once and is valid for seven days.
{{/invited}}
{{#link}}

{{link}}
{{/link}}`,
      action: '{{#invited}}Choose your password{{/invited}}{{^invited}}Sign in{{/invited}}',
    },
    de: {
      subject: 'Willkommen im {{affiliate}}-Programm von {{site.name}}',
      text: `Guten Tag{{#name}} {{name}}{{/name}},

Ihre Bewerbung wurde angenommen. Willkommen im {{affiliate}}-Programm von {{site.name}}!

Ihr Gutscheincode: {{coupon_code}}
Ihr Empfehlungslink: {{referral_url}}

Sie erhalten eine Provision für Bestellungen mit Ihrem Code und für Bestellungen von Besuchern, die Ihrem Link folgen.
{{#message}}

{{message}}
{{/message}}
{{#invited}}

Legen Sie ein Passwort fest, um Ihre Einnahmen zu sehen und Auszahlungen anzufordern. Der Link funktioniert einmal und ist sieben Tage gültig.
{{/invited}}
{{#link}}

{{link}}
{{/link}}`,
      action: '{{#invited}}Passwort festlegen{{/invited}}{{^invited}}Anmelden{{/invited}}',
    },
    es: {
      subject: 'Te damos la bienvenida al programa de {{affiliates}} de {{site.name}}',
      text: `Hola{{#name}}, {{name}}{{/name}}:

Hemos aceptado tu solicitud. ¡Te damos la bienvenida al programa de {{affiliates}} de {{site.name}}!

Tu código de cupón: {{coupon_code}}
Tu enlace de recomendación: {{referral_url}}

Ganas una comisión por los pedidos que usen tu código y por los pedidos de quienes sigan tu enlace.
{{#message}}

{{message}}
{{/message}}
{{#invited}}

Elige una contraseña para ver tus ganancias y solicitar pagos. El enlace funciona una sola vez y es válido durante siete días.
{{/invited}}
{{#link}}

{{link}}
{{/link}}`,
      action: '{{#invited}}Elegir contraseña{{/invited}}{{^invited}}Iniciar sesión{{/invited}}',
    },
    fr: {
      subject: 'Bienvenue dans le programme {{affiliate}} {{site.name}}',
      text: `Bonjour{{#name}} {{name}}{{/name}},

Votre candidature a été acceptée. Bienvenue dans le programme {{affiliate}} {{site.name}} !

Votre code promo: {{coupon_code}}
Votre lien de recommandation: {{referral_url}}

Vous touchez une commission sur les commandes passées avec votre code et sur celles des visiteurs qui suivent votre lien.
{{#message}}

{{message}}
{{/message}}
{{#invited}}

Choisissez un mot de passe pour consulter vos gains et demander vos versements. Le lien fonctionne une seule fois et reste valable sept jours.
{{/invited}}
{{#link}}

{{link}}
{{/link}}`,
      action:
        '{{#invited}}Choisir mon mot de passe{{/invited}}{{^invited}}Se connecter{{/invited}}',
    },
    pt: {
      subject: 'Boas-vindas ao programa de {{affiliates}} de {{site.name}}',
      text: `Olá{{#name}}, {{name}}{{/name}}!

A sua inscrição foi aceita. Boas-vindas ao programa de {{affiliates}} de {{site.name}}!

O seu código de cupom: {{coupon_code}}
O seu link de indicação: {{referral_url}}

Você ganha uma comissão pelos pedidos que usam o seu código e pelos pedidos de quem segue o seu link.
{{#message}}

{{message}}
{{/message}}
{{#invited}}

Escolha uma senha para ver os seus ganhos e solicitar pagamentos. O link funciona uma única vez e é válido por sete dias.
{{/invited}}
{{#link}}

{{link}}
{{/link}}`,
      action: '{{#invited}}Escolher senha{{/invited}}{{^invited}}Entrar{{/invited}}',
    },
  },
  Type.Object({
    name: Type.String(),
    coupon_code: Type.String(),
    referral_url: Type.String(),
    message: Type.String(),
    invited: Type.Boolean({ description: 'Whether the link is for choosing a password.' }),
  }),
  {
    about: 'To an applicant who is accepted, with code, link and invitation.',
    required: ['coupon_code', 'message'],
  },
);
