<?php
/**
 * Plugin Name: Tributary for WooCommerce
 * Description: Remembers which affiliate's link brought a shopper, and writes it into the order. Calls no other server.
 * Version: 1.0.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 *
 * It stores nothing in the database but the meta of orders, so there is nothing to remove when it is uninstalled.
 *
 * @package Tributary_For_WooCommerce
 */

defined( 'ABSPATH' ) || exit;

/**
 * The whole plugin.
 */
final class Tributary_For_WooCommerce {

	// Tributary writes its settings into these two lines. Download the plugin again after you change them there.
	const PARAMETERS = array( 'ref' );
	const DAYS       = 30;

	/**
	 * The cookie of this plugin. It comes from the server, so Safari keeps it longer than seven days.
	 */
	const COOKIE = 'tributary_origin';

	/**
	 * The cookie of the script t.js, which has the same format and may be on the page, too.
	 */
	const SCRIPT_COOKIE = 'tributary';

	/**
	 * Registers the hooks.
	 */
	public static function start() {
		add_action( 'before_woocommerce_init', array( __CLASS__, 'declare_features' ) );
		add_action( 'init', array( __CLASS__, 'remember' ) );
		// The classic checkout; then the checkout block and everything else that uses the Store API.
		add_action( 'woocommerce_checkout_create_order', array( __CLASS__, 'write' ) );
		add_action( 'woocommerce_store_api_checkout_update_order_from_request', array( __CLASS__, 'write' ) );
		add_filter( 'wp_consent_api_registered_' . plugin_basename( __FILE__ ), '__return_true' );
	}

	/**
	 * Orders are changed by methods of WooCommerce only, so they may be in its own tables.
	 */
	public static function declare_features() {
		$features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
		if ( class_exists( $features ) ) {
			$features::declare_compatibility( 'custom_order_tables', __FILE__, true );
			$features::declare_compatibility( 'cart_checkout_blocks', __FILE__, true );
		}
	}

	/**
	 * Stores the link of this request in the cookie. The last link counts.
	 */
	public static function remember() {
		if ( is_admin() || wp_doing_cron() || headers_sent() ) {
			return;
		}
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- A link has no nonce.
		$origin = self::origin_in( wp_unslash( $_GET ) );
		if ( $origin ) {
			// A cached page would set no cookie, or that of another shopper.
			if ( ! defined( 'DONOTCACHEPAGE' ) ) {
				define( 'DONOTCACHEPAGE', true );
			}
			nocache_headers();
		} elseif ( ! isset( $_COOKIE[ self::COOKIE ] ) ) {
			// The page before may have come from a cache, or the shopper has agreed only there.
			$origin = self::origin_in_referer();
		}
		if ( ! $origin && ! isset( $_COOKIE[ self::COOKIE ] ) ) {
			return;
		}
		if ( ! self::is_allowed() ) {
			if ( isset( $_COOKIE[ self::COOKIE ] ) ) {
				self::set_cookie( '', 1 );
			}
			return;
		}
		if ( $origin ) {
			self::set_cookie( wp_json_encode( $origin ), time() + self::DAYS * DAY_IN_SECONDS );
		}
	}

	/**
	 * Writes code, click and visitor into the meta of an order that is being placed.
	 *
	 * @param WC_Order $order The order. WooCommerce saves it after this.
	 */
	public static function write( $order ) {
		$origin = self::is_allowed() ? self::last_origin() : null;
		$values = array(
			'_tributary_code'     => $origin ? $origin[0] : '',
			'_tributary_visitor'  => $origin ? $origin[1] : '',
			'_tributary_click_id' => $origin && $origin[2] > 0 ? (string) $origin[2] : '',
		);
		foreach ( $values as $key => $value ) {
			if ( '' === $value ) {
				$order->delete_meta_data( $key );
			} else {
				$order->update_meta_data( $key, $value );
			}
		}
	}

	/**
	 * Whether the shopper may be remembered. Without a consent plugin the filter alone decides.
	 *
	 * @return bool
	 */
	private static function is_allowed() {
		$is_allowed = ! function_exists( 'wp_has_consent' ) || wp_has_consent( 'marketing' );
		/**
		 * Filters whether the link that brought this shopper may be stored.
		 *
		 * @param bool $is_allowed By default what the WP Consent API says about marketing, or true without it.
		 */
		return (bool) apply_filters( 'tributary_has_consent', $is_allowed );
	}

	/**
	 * The link that the parameters of an address name.
	 *
	 * @param array $parameters Unslashed.
	 * @return array|null Code, visitor, click or 0, and the time in milliseconds.
	 */
	private static function origin_in( $parameters ) {
		foreach ( self::PARAMETERS as $name ) {
			$code = self::text( $parameters, $name, 50 );
			if ( '' !== $code ) {
				$click   = self::text( $parameters, 'click_id', 15 );
				$click   = preg_match( '/^[1-9]\d*$/', $click ) ? (int) $click : 0;
				$visitor = $click > 0 ? self::text( $parameters, 'visitor', 200 ) : '';
				return array( $code, $visitor, $click, (int) ( microtime( true ) * 1000 ) );
			}
		}
		return null;
	}

	/**
	 * The link that the address of the page before names, if it is a page of this shop.
	 *
	 * @return array|null
	 */
	private static function origin_in_referer() {
		$referer = isset( $_SERVER['HTTP_REFERER'] ) ? esc_url_raw( wp_unslash( $_SERVER['HTTP_REFERER'] ) ) : '';
		if ( wp_parse_url( $referer, PHP_URL_HOST ) !== wp_parse_url( home_url(), PHP_URL_HOST ) ) {
			return null;
		}
		wp_parse_str( (string) wp_parse_url( $referer, PHP_URL_QUERY ), $parameters );
		return self::origin_in( $parameters );
	}

	/**
	 * The later of the links that this plugin and the script t.js have stored.
	 *
	 * @return array|null
	 */
	private static function last_origin() {
		$last = null;
		foreach ( array( self::COOKIE, self::SCRIPT_COOKIE ) as $name ) {
			$origin = self::origin_in_cookie( $name );
			if ( $origin && ( ! $last || $origin[3] > $last[3] ) ) {
				$last = $origin;
			}
		}
		return $last;
	}

	/**
	 * The link in a cookie, if it is valid and within the attribution window.
	 *
	 * @param string $name The name of the cookie.
	 * @return array|null
	 */
	private static function origin_in_cookie( $name ) {
		$origin = json_decode( self::text( wp_unslash( $_COOKIE ), $name, 1000 ), true );
		if ( ! is_array( $origin ) || ! isset( $origin[0], $origin[1], $origin[2], $origin[3] ) ) {
			return null;
		}
		$code = self::text( $origin, 0, 50 );
		$time = is_numeric( $origin[3] ) ? (int) $origin[3] : 0;
		if ( '' === $code || $time / 1000 < time() - self::DAYS * DAY_IN_SECONDS ) {
			return null;
		}
		$click = is_int( $origin[2] ) && $origin[2] > 0 ? $origin[2] : 0;
		return array( $code, self::text( $origin, 1, 200 ), $click, $time );
	}

	/**
	 * A text that someone else has sent: valid UTF-8 without control characters, or empty. It is not changed further,
	 * because a code may contain any character that can be printed.
	 *
	 * @param array      $values Unslashed.
	 * @param string|int $name   The key of the value.
	 * @param int        $limit  The length from which the text counts as none.
	 * @return string
	 */
	private static function text( $values, $name, $limit ) {
		$value = isset( $values[ $name ] ) && is_string( $values[ $name ] ) ? trim( $values[ $name ] ) : '';
		return preg_match( '/^[^\p{Cc}]{1,' . $limit . '}$/Du', $value ) ? $value : '';
	}

	/**
	 * Sets the cookie. No script needs to read it.
	 *
	 * @param string $value   The value.
	 * @param int    $expires When it ends, in seconds.
	 */
	private static function set_cookie( $value, $expires ) {
		setcookie(
			self::COOKIE,
			$value,
			array(
				'expires'  => $expires,
				'path'     => defined( 'COOKIEPATH' ) && COOKIEPATH ? COOKIEPATH : '/',
				'domain'   => defined( 'COOKIE_DOMAIN' ) && COOKIE_DOMAIN ? COOKIE_DOMAIN : '',
				'secure'   => is_ssl(),
				'httponly' => true,
				'samesite' => 'Lax',
			)
		);
	}
}

Tributary_For_WooCommerce::start();
