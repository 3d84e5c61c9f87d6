internal import CCurl
package func curlVersion() -> String { String(cString: curl_version()) }
