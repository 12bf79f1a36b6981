<?php
// What the plugin uses of WordPress and WooCommerce, with the behaviour that matters to it: slashes in the request,
// hooks with one argument unless they ask for more, orders whose meta counts after they are saved.

define( 'ABSPATH', __DIR__ . '/' );
define( 'DAY_IN_SECONDS', 86400 );
define( 'COOKIEPATH', '/' );
define( 'COOKIE_DOMAIN', false );

$hooks = array();

function add_filter( $name, $callback, $priority = 10, $arguments = 1 ) {
	$GLOBALS['hooks'][ $name ][ $priority ][] = array( $callback, $arguments );
	return true;
}

function add_action( $name, $callback, $priority = 10, $arguments = 1 ) {
	return add_filter( $name, $callback, $priority, $arguments );
}

function apply_filters( $name, $value, ...$others ) {
	$callbacks = $GLOBALS['hooks'][ $name ] ?? array();
	ksort( $callbacks );
	foreach ( array_merge( ...array_values( $callbacks ) ) as list( $callback, $arguments ) ) {
		$value = $callback( ...array_slice( array( $value, ...$others ), 0, $arguments ) );
	}
	return $value;
}

function do_action( $name, ...$values ) {
	$callbacks = $GLOBALS['hooks'][ $name ] ?? array();
	ksort( $callbacks );
	foreach ( array_merge( ...array_values( $callbacks ) ) as list( $callback, $arguments ) ) {
		$callback( ...array_slice( $values, 0, $arguments ) );
	}
}

function __return_true() {
	return true;
}

function plugin_basename( $file ) {
	return basename( dirname( $file ) ) . '/' . basename( $file );
}

function is_admin() {
	return str_starts_with( $_SERVER['REQUEST_URI'], '/wp-admin/' );
}

function wp_doing_cron() {
	return false;
}

function is_ssl() {
	return ( $_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '' ) === 'https';
}

function home_url() {
	return ( is_ssl() ? 'https://' : 'http://' ) . $_SERVER['HTTP_HOST'];
}

function wp_unslash( $value ) {
	return is_array( $value ) ? array_map( 'wp_unslash', $value ) : ( is_string( $value ) ? stripslashes( $value ) : $value );
}

function wp_json_encode( $value, $flags = 0 ) {
	return json_encode( $value, $flags );
}

function wp_parse_url( $url, $component = -1 ) {
	return parse_url( $url, $component );
}

function wp_parse_str( $text, &$values ) {
	parse_str( $text, $values );
}

function esc_url_raw( $url ) {
	return preg_replace( '|[^a-z0-9-~+_.?#=!&;,/:%@$\|*\'()\[\]\x80-\xff]|i', '', $url );
}

function nocache_headers() {
	header( 'Cache-Control: no-cache, must-revalidate, max-age=0, no-store, private' );
}

// WordPress adds slashes to all of the request.
$_GET    = array_map( 'addslashes_deep', $_GET );
$_COOKIE = array_map( 'addslashes_deep', $_COOKIE );

function addslashes_deep( $value ) {
	return is_array( $value ) ? array_map( 'addslashes_deep', $value ) : addslashes( $value );
}

// A site with a consent plugin that asks first.
if ( getenv( 'SHOP_ASKS' ) ) {
	function wp_has_consent( $category ) {
		return 'allow' === ( $_COOKIE[ "wp_consent_$category" ] ?? '' );
	}
}

class WC_Order {
	private $meta  = array();
	private $saved = array();

	public function update_meta_data( $key, $value ) {
		$this->meta[ $key ] = $value;
	}

	public function delete_meta_data( $key ) {
		unset( $this->meta[ $key ] );
	}

	public function save() {
		$this->saved = $this->meta;
	}

	public function saved_meta() {
		return $this->saved;
	}
}
