<?php
// The class with which plugins tell WooCommerce what they support.
namespace Automattic\WooCommerce\Utilities;

class FeaturesUtil {
	public static $declared = array();

	public static function declare_compatibility( $feature, $file, $is_compatible = true ) {
		self::$declared[ $feature ] = $is_compatible;
		return true;
	}
}
