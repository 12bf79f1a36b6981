<?php
// A shop with the plugin of the environment variable PLUGIN, if any, for `php -S`.

require __DIR__ . '/wordpress.php';
require __DIR__ . '/features.php';
if ( getenv( 'PLUGIN' ) ) {
	require getenv( 'PLUGIN' );
}
do_action( 'before_woocommerce_init' );
do_action( 'init' );

$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( '/features' === $path ) {
	header( 'Content-Type: application/json' );
	echo json_encode( Automattic\WooCommerce\Utilities\FeaturesUtil::$declared );
	return;
}
if ( 'POST' === $_SERVER['REQUEST_METHOD'] ) {
	// Checkouts: `/classic`, and `/block`, which also fires its action for the draft of the order.
	$order = new WC_Order();
	foreach ( json_decode( file_get_contents( 'php://input' ), true ) as $name => $value ) {
		$order->update_meta_data( "_wc_order_attribution_$name", $value );
	}
	$action = '/block' === $path ? 'woocommerce_store_api_checkout_update_order_from_request' : 'woocommerce_checkout_create_order';
	do_action( $action, $order, array() );
	$order->save();
	header( 'Content-Type: application/json' );
	echo json_encode( $order->saved_meta(), JSON_FORCE_OBJECT );
	return;
}
if ( defined( 'DONOTCACHEPAGE' ) ) {
	header( 'X-Page-Cache: never' );
}
?>
<!doctype html>
<html lang="en">
<title>Shop</title>
<link rel="icon" href="data:,">
<?php if ( getenv( 'SHOP_SCRIPT' ) ) : ?>
<script src="<?php echo getenv( 'SHOP_SCRIPT' ); ?>"></script>
<?php endif; ?>
<h1>Shop</h1>
<a href="/lamp">Lamp</a>
<button value="/classic">Classic checkout</button>
<button value="/block">Block checkout</button>
<output></output>
<script>
	// What WooCommerce does in the browser, as recorded: it keeps the first page of a session unless a later one has
	// campaign parameters or a foreign referrer.
	const parameters = new URLSearchParams(location.search);
	const campaign = [...parameters].filter(([name]) => name.startsWith('utm_'));
	const isForeign = document.referrer !== '' && new URL(document.referrer).host !== location.host;
	const known = /(?:^|; )sbjs=([^;]+)/.exec(document.cookie)?.[1];
	if (known === undefined || campaign.length > 0 || isForeign) {
		const type = campaign.length > 0 ? 'utm' : isForeign ? 'referral' : 'typein';
		const source = type === 'typein' ? { utm_source: '(direct)' } : Object.fromEntries(campaign);
		const visit = { source_type: type, session_entry: location.href, ...source };
		document.cookie = `sbjs=${encodeURIComponent(JSON.stringify(visit))};path=/`;
	}
	for (const button of document.querySelectorAll('button')) {
		button.onclick = async () => {
			const body = decodeURIComponent(/(?:^|; )sbjs=([^;]+)/.exec(document.cookie)[1]);
			const response = await fetch(button.value, { method: 'POST', body });
			document.querySelector('output').textContent = await response.text();
		};
	}
</script>
